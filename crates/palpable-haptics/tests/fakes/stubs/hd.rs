//! A stand-in for OpenHaptics' libHD: the same functions, two simulated devices held by hands, and
//! a scheduler with a thread of its own. Compiled by the tests with `rustc --crate-type cdylib`.
#![allow(non_snake_case, clippy::not_unsafe_ptr_arg_deref)]

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_double, c_int, c_uint, c_ulong, c_ushort, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

type Callback = unsafe extern "C" fn(*mut c_void) -> c_uint;

#[derive(Clone, Copy)]
struct Device {
    open: bool,
    time: f64,
    x: [f64; 3],
    v: [f64; 3],
    force: [f64; 3],
    felt: [f64; 3],
    on: bool,
    frame: bool,
    calibration: c_uint,
    largest: f64,
}

/// The maker's axes: 1 cm to the right, 2 cm up, 3 cm towards the user, in mm.
const REST: Device = Device {
    open: false,
    time: 0.0,
    x: [10.0, 20.0, 30.0],
    v: [0.0; 3],
    force: [0.0; 3],
    felt: [0.0; 3],
    on: false,
    frame: false,
    calibration: 0x5000,
    largest: 0.0,
};

static DEVICES: Mutex<[Device; 2]> = Mutex::new([REST; 2]);
static ERRORS: Mutex<VecDeque<c_uint>> = Mutex::new(VecDeque::new());
static CURRENT: AtomicU32 = AtomicU32::new(0);
static RUNNING: AtomicBool = AtomicBool::new(false);
static TICKS: AtomicU64 = AtomicU64::new(0);
static THREAD: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

struct Entry {
    id: c_ulong,
    callback: Callback,
    data: *mut c_void,
}
unsafe impl Send for Entry {}

struct Book {
    next: c_ulong,
    entries: Vec<Entry>,
}
static BOOK: Mutex<Book> = Mutex::new(Book { next: 1, entries: Vec::new() });

fn fail(code: c_uint) {
    ERRORS.lock().unwrap().push_back(code);
}

fn current<T>(work: impl FnOnce(&mut Device) -> T) -> T {
    work(&mut DEVICES.lock().unwrap()[CURRENT.load(Ordering::SeqCst) as usize % 2])
}

impl Device {
    /// A millisecond a frame: a hand of 0.1 kg, 3 N·s/m and 200 N/m that swings by 2 cm.
    fn advance(&mut self) {
        let h = 1e-3;
        self.time += h;
        let swing = 20.0 * (std::f64::consts::TAU * self.time).sin();
        let wanted = [10.0 + swing, 20.0, 30.0];
        for i in 0..3 {
            // lengths in mm, forces in N
            let pull = 200e-3 * (wanted[i] - self.x[i]) - 3e-3 * self.v[i];
            let force = if self.on { self.felt[i] } else { 0.0 };
            self.v[i] += h * 1e3 * (pull + force) / 0.1;
            self.x[i] += h * self.v[i];
        }
    }
}

/// For the tests: sets (0 to 19) or asks (20 and up) something of device `of`.
#[unsafe(no_mangle)]
pub extern "C" fn stub_control(of: c_int, what: c_int, value: c_double) -> c_double {
    if what == 0 {
        fail(value as c_uint);
        return 0.0;
    }
    if what == 26 {
        return TICKS.load(Ordering::SeqCst) as f64;
    }
    let mut devices = DEVICES.lock().unwrap();
    let d = &mut devices[of as usize];
    match what {
        1 => d.calibration = value as c_uint,
        20 => return d.felt[0],
        21 => return d.felt[1],
        22 => return d.felt[2],
        23 => return f64::from(u8::from(d.on)),
        24 => return f64::from(u8::from(d.open)),
        25 => return d.largest,
        27 => return f64::from(u8::from(RUNNING.load(Ordering::SeqCst))),
        _ => {}
    }
    0.0
}

#[unsafe(no_mangle)]
pub extern "C" fn hdInitDevice(name: *const c_char) -> c_uint {
    let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
    let index = match name.to_bytes() {
        b"Default Device" => 0,
        b"Second" => 1,
        _ => {
            fail(0x0302);
            return 0xFFFF_FFFF;
        }
    };
    let mut devices = DEVICES.lock().unwrap();
    if devices[index].open {
        fail(0x0301);
        return 0xFFFF_FFFF;
    }
    devices[index].open = true;
    CURRENT.store(index as u32, Ordering::SeqCst);
    index as c_uint
}

#[unsafe(no_mangle)]
pub extern "C" fn hdDisableDevice(device: c_uint) {
    DEVICES.lock().unwrap()[device as usize % 2].open = false;
}

#[unsafe(no_mangle)]
pub extern "C" fn hdMakeCurrentDevice(device: c_uint) {
    CURRENT.store(device, Ordering::SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn hdBeginFrame(_: c_uint) {
    current(|d| {
        if d.frame {
            fail(0x0400);
        }
        d.frame = true;
        d.advance();
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn hdEndFrame(_: c_uint) {
    current(|d| {
        if !d.frame {
            fail(0x0401);
        }
        d.frame = false;
        d.felt = d.force;
        let norm = d.felt.iter().map(|f| f * f).sum::<f64>().sqrt();
        d.largest = d.largest.max(norm);
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn hdEnable(what: c_uint) {
    if what == 0x4000 {
        current(|d| d.on = true);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdDisable(what: c_uint) {
    if what == 0x4000 {
        current(|d| d.on = false);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdGetDoublev(what: c_uint, out: *mut c_double) {
    let d = current(|d| *d);
    // a quarter turn about the maker's y: z to x; by columns
    let (c, s) = (0.0, 1.0);
    let pose = [
        c, 0.0, -s, 0.0, 0.0, 1.0, 0.0, 0.0, s, 0.0, c, 0.0, d.x[0], d.x[1], d.x[2], 1.0,
    ];
    let values: &[f64] = match what {
        0x2050 => &d.x,
        0x2051 => &d.v,
        0x2052 => &pose,
        0x2603 => &[3.3],
        0x2604 => &[0.88],
        _ => {
            fail(0x0100);
            return;
        }
    };
    for (i, value) in values.iter().enumerate() {
        unsafe { *out.add(i) = *value };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdGetIntegerv(what: c_uint, out: *mut c_int) {
    let value = match what {
        0x2000 => 0b10,
        0x2600 => 1000,
        0x2650 => 4,
        _ => {
            fail(0x0100);
            return;
        }
    };
    unsafe { *out = value };
}

#[cfg(not(without_force))]
#[unsafe(no_mangle)]
pub extern "C" fn hdSetDoublev(what: c_uint, values: *const c_double) {
    if what != 0x2700 {
        fail(0x0100);
        return;
    }
    let force = [0, 1, 2].map(|i| unsafe { *values.add(i) });
    current(|d| {
        if !d.frame {
            fail(0x0402);
        }
        d.force = force;
    });
}

#[repr(C)]
pub struct ErrorInfo {
    code: c_uint,
    internal: c_int,
    device: c_uint,
}

#[unsafe(no_mangle)]
pub extern "C" fn hdGetError() -> ErrorInfo {
    let code = ERRORS.lock().unwrap().pop_front().unwrap_or(0);
    ErrorInfo { code, internal: 42, device: CURRENT.load(Ordering::SeqCst) }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdGetErrorString(code: c_uint) -> *const c_char {
    match code {
        0x0301 => c"device already initiated".as_ptr(),
        0x0302 => c"communication error".as_ptr(),
        _ => std::ptr::null(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdGetString(what: c_uint) -> *const c_char {
    if what == 0x2501 { c"stub Touch".as_ptr() } else { std::ptr::null() }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdCheckCalibration() -> c_uint {
    current(|d| d.calibration)
}

#[unsafe(no_mangle)]
pub extern "C" fn hdUpdateCalibration(style: c_uint) {
    if style == 4 {
        current(|d| d.calibration = 0x5000);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdSetSchedulerRate(_: c_ulong) {}

#[unsafe(no_mangle)]
pub extern "C" fn hdScheduleAsynchronous(
    callback: Callback,
    data: *mut c_void,
    _: c_ushort,
) -> c_ulong {
    let mut book = BOOK.lock().unwrap();
    let id = book.next;
    book.next += 1;
    book.entries.push(Entry { id, callback, data });
    id
}

#[unsafe(no_mangle)]
pub extern "C" fn hdUnschedule(id: c_ulong) {
    BOOK.lock().unwrap().entries.retain(|entry| entry.id != id);
}

/// The scheduler: a callback may still be going on when `hdUnschedule` returns.
fn ticks() {
    while RUNNING.load(Ordering::SeqCst) {
        let now: Vec<(c_ulong, Callback, usize)> = {
            let book = BOOK.lock().unwrap();
            book.entries.iter().map(|e| (e.id, e.callback, e.data as usize)).collect()
        };
        for (id, callback, data) in now {
            if unsafe { callback(data as *mut c_void) } == 0 {
                hdUnschedule(id);
            }
        }
        TICKS.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_micros(500));
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdStartScheduler() {
    if !RUNNING.swap(true, Ordering::SeqCst) {
        *THREAD.lock().unwrap() = Some(std::thread::spawn(ticks));
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn hdStopScheduler() {
    RUNNING.store(false, Ordering::SeqCst);
    // taken out first: the thread must not be awaited under the lock
    let thread = THREAD.lock().unwrap().take();
    if let Some(thread) = thread {
        let _ = thread.join();
    }
}
