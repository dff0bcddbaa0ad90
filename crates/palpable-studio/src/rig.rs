//! The servo thread: steps the stage against absolute deadlines, and meets everyone else in
//! lock-free queues only.

use crate::protocol::Frame;
use crate::stage::{Histogram, Notice, Order, Show, Stage};
use crate::{StudioError, recording};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between frames: display rate.
pub const FRAME: Duration = Duration::from_micros(16_667);
/// A hand that moves sees what came of it in the next frame; frames are no closer than this.
const SOON: Duration = Duration::from_millis(8);
/// Longest sleep, so that orders are obeyed soon however slow time runs.
const NAP: Duration = Duration::from_millis(4);
/// Numbers of a take that wait to be collected: a second of a large scene.
const ROWS: usize = 1 << 19;
/// A backlog longer than this is dropped: the world runs late rather than in bursts.
const PATIENCE: Duration = Duration::from_millis(50);

/// The far end of the servo thread's queues.
#[derive(Debug)]
pub struct Console {
    /// Orders to the stage; what does not fit is lost, which only a flood brings about.
    pub orders: Producer<Order>,
    /// What the stage tells.
    pub notices: Consumer<Notice>,
    /// The newest frame.
    pub frames: triple_buffer::Output<Frame>,
    /// Rows of a take: number of the take, how many values follow the time, time, values.
    pub rows: Consumer<f64>,
    thread: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

/// How the loop is doing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoopStats {
    /// Steps taken.
    pub ticks: u64,
    /// Steps that began more than a step late.
    pub missed: u64,
    /// Time dropped because the loop could not keep up [s].
    pub dropped: f64,
    /// How long steps took.
    pub times: Histogram,
}

impl Console {
    /// True if the thread has ended by itself: it broke down.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

/// Starts the servo thread with a scene, counted as `generation`.
///
/// # Errors
/// The system gives no thread.
pub fn start(show: Box<Show>, generation: u32) -> Result<Console, StudioError> {
    let (mut console, servo) = apart(show, generation);
    let thread = std::thread::Builder::new()
        .name("palpable-servo".into())
        .spawn(move || servo.run())
        .map_err(|e| StudioError::system("the servo thread", e))?;
    console.thread = Some(thread);
    Ok(console)
}

/// The two ends of the queues, without a thread.
pub(crate) fn apart(show: Box<Show>, generation: u32) -> (Console, Servo) {
    let (orders, heard) = RingBuffer::new(1024);
    let (told, notices) = RingBuffer::new(1024);
    let mut stage = Stage::new(show);
    stage.generation = generation;
    let (input, frames) = triple_buffer::triple_buffer(&Frame::of(&stage, &LoopStats::default()));
    let stop = Arc::new(AtomicBool::new(false));
    let (collect, rows) = RingBuffer::new(ROWS);
    let servo = Servo {
        stage,
        heard,
        told,
        input,
        rows: collect,
        row: Vec::with_capacity(1024),
        takes: 0,
        stats: LoopStats::default(),
        stop: stop.clone(),
    };
    (Console { orders, notices, frames, rows, thread: None, stop }, servo)
}

impl Drop for Console {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What kinds of orders there were.
#[derive(Debug, Clone, Copy, Default)]
struct Heard {
    /// The hand was moved.
    moved: bool,
    /// Something else was done.
    acted: bool,
}

/// What the servo thread runs.
#[derive(Debug)]
pub(crate) struct Servo {
    stage: Stage,
    heard: Consumer<Order>,
    told: Producer<Notice>,
    input: triple_buffer::Input<Frame>,
    rows: Producer<f64>,
    row: Vec<f64>,
    takes: u64,
    stats: LoopStats,
    stop: Arc<AtomicBool>,
}

impl Servo {
    fn run(mut self) {
        let mut last = Instant::now();
        let (mut deadline, mut frame_due, mut shown) = (last, last, last);
        let mut period = Duration::ZERO;
        while !self.stop.load(Ordering::Relaxed) {
            let heard = self.listen();
            let now = Instant::now();
            let silence = self.stage.hush((now - last).as_secs_f64());
            self.tell(silence);
            last = now;
            if heard.acted {
                // another scene, step or speed: what was waited for counts no longer
                deadline = deadline.min(now + self.pace(self.stage.show().steps.mean_length()));
            }
            if !self.stage.is_running() {
                deadline = now + NAP;
            } else if now >= deadline {
                self.stats.missed += u64::from(now > deadline + period);
                period = self.tick(now);
                deadline += period;
                if now > deadline + PATIENCE {
                    self.stats.dropped += (now - deadline).as_secs_f64();
                    deadline = now;
                }
            }
            if heard.moved {
                // after the next step, which is the first to feel the move
                frame_due = frame_due.min(deadline.max(shown + SOON));
            }
            if now >= frame_due {
                self.publish();
                shown = now;
                frame_due = (frame_due + FRAME).max(now);
            }
            let until = deadline.min(frame_due).min(now + NAP);
            std::thread::sleep(until.saturating_duration_since(Instant::now()));
        }
    }

    /// Obeys orders, takes a step and shows what came of it, without a clock.
    pub(crate) fn turn(&mut self) {
        self.listen();
        if self.stage.is_running() {
            self.tick(Instant::now());
        }
        self.publish();
    }

    /// Obeys orders; what kinds there were.
    fn listen(&mut self) -> Heard {
        let mut heard = Heard::default();
        while let Ok(order) = self.heard.pop() {
            let moved = matches!(order, Order::Move { .. });
            heard.moved |= moved;
            heard.acted |= !moved;
            if matches!(order, Order::Load(_)) {
                self.stats = LoopStats::default();
            }
            self.takes += u64::from(matches!(order, Order::Record(true)));
            let notice = self.stage.give(order);
            self.tell(notice);
            let notice = self.stage.recast();
            self.tell(notice);
        }
        heard
    }

    /// Time until a step of `h` [s] has passed.
    fn pace(&self, h: f64) -> Duration {
        Duration::from_secs_f64((h / self.stage.speed()).clamp(0.0, 1000.0))
    }

    fn tick(&mut self, began: Instant) -> Duration {
        let h = self.stage.tick();
        let took = began.elapsed().as_nanos();
        self.stats.times.add(u64::try_from(took).unwrap_or(u64::MAX));
        self.stats.ticks += 1;
        if self.stage.take().is_recording() {
            self.record();
        }
        let notice = self.stage.end_of_replay();
        self.tell(notice);
        let notice = self.stage.end_of_scene();
        self.tell(notice);
        let notice = self.stage.recast();
        self.tell(notice);
        self.pace(h)
    }

    /// Passes the present on; a row for which there is no room is left out.
    fn record(&mut self) {
        recording::fill(&mut self.row, &self.stage, self.takes);
        if let Ok(chunk) = self.rows.write_chunk_uninit(self.row.len()) {
            chunk.fill_from_iter(self.row.iter().copied());
        }
    }

    fn tell(&mut self, notice: Option<Notice>) {
        if let Some(notice) = notice {
            // a full queue means that nobody listens any more
            let _ = self.told.push(notice);
        }
    }

    fn publish(&mut self) {
        let frame = self.input.input_buffer_mut();
        frame.fill(&self.stage, &self.stats);
        self.stage.take_peaks();
        self.input.publish();
    }
}
