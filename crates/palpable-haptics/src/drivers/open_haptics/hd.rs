//! The functions of OpenHaptics' `libHD` that we use, behind safe ones, and the one place where its
//! scheduler calls us.
//!
//! Unsafe code: calls into a maker's library, and a callback from its thread. Signatures follow its
//! public header (`HD/hd.h`), checked against a stub in the tests only.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_uint, c_ulong, c_ushort, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::super::library::{LibraryError, Opened, Wanted};
use palpable::Vec3;

const WANTED: Wanted = Wanted {
    library: "the OpenHaptics library libHD",
    names: if cfg!(windows) { &["hd.dll"] } else { &["libHD.so", "libHD.so.3", "libHD.so.3.4"] },
    folders: &["OPENHAPTICS_SDK", "OH_SDK_BASE"],
    cure: "install OpenHaptics and the Touch driver, then put its folder into OPENHAPTICS_SDK or \
           give the file",
    update: "install OpenHaptics 3.0 or newer",
};

const POSITION: c_uint = 0x2050;
const VELOCITY: c_uint = 0x2051;
const TRANSFORM: c_uint = 0x2052;
const BUTTONS: c_uint = 0x2000;
const MODEL: c_uint = 0x2501;
const UPDATE_RATE: c_uint = 0x2600;
const MAX_FORCE: c_uint = 0x2603;
const CONTINUOUS_FORCE: c_uint = 0x2604;
const CALIBRATION_STYLE: c_uint = 0x2650;
const FORCE: c_uint = 0x2700;
const FORCE_OUTPUT: c_uint = 0x4000;
const INVALID: c_uint = 0xFFFF_FFFF;
const TOP_PRIORITY: c_ushort = 0xFFFF;
/// Answers of a callback.
const DONE: c_uint = 0;
const CONTINUE: c_uint = 1;
/// How long the end of a callback is awaited.
const PATIENCE: Duration = Duration::from_secs(1);

type Callback = unsafe extern "C" fn(*mut c_void) -> c_uint;

#[repr(C)]
struct ErrorInfo {
    code: c_uint,
    internal: c_int,
    device: c_uint,
}

/// State of the calibration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// Good.
    Sound,
    /// The library can do it now.
    NeedsUpdate,
    /// Somebody has to move the stylus first.
    NeedsHand,
}

/// The library. Its scheduler serves all of its devices.
pub struct Hd {
    init: unsafe extern "C" fn(*const c_char) -> c_uint,
    disable_device: unsafe extern "C" fn(c_uint),
    make_current: unsafe extern "C" fn(c_uint),
    begin: unsafe extern "C" fn(c_uint),
    end: unsafe extern "C" fn(c_uint),
    enable: unsafe extern "C" fn(c_uint),
    disable: unsafe extern "C" fn(c_uint),
    get_doubles: unsafe extern "C" fn(c_uint, *mut c_double),
    get_integers: unsafe extern "C" fn(c_uint, *mut c_int),
    set_doubles: unsafe extern "C" fn(c_uint, *const c_double),
    error: unsafe extern "C" fn() -> ErrorInfo,
    check_calibration: unsafe extern "C" fn() -> c_uint,
    schedule: unsafe extern "C" fn(Callback, *mut c_void, c_ushort) -> c_ulong,
    unschedule: unsafe extern "C" fn(c_ulong),
    start: unsafe extern "C" fn(),
    stop: unsafe extern "C" fn(),
    update_calibration: Option<unsafe extern "C" fn(c_uint)>,
    set_rate: Option<unsafe extern "C" fn(c_ulong)>,
    get_string: Option<unsafe extern "C" fn(c_uint) -> *const c_char>,
    error_string: Option<unsafe extern "C" fn(c_uint) -> *const c_char>,
    /// callbacks that are scheduled
    scheduled: AtomicUsize,
    /// last, so that it is closed after everything else is gone
    opened: Opened,
}

impl Hd {
    /// Opens the library and finds its functions.
    pub fn load(path: Option<&Path>) -> Result<Arc<Self>, LibraryError> {
        let opened = WANTED.open(path)?;
        // SAFETY: every type below is the signature of that name in the maker's header, and the
        // functions live in the same struct as the library, which is dropped last.
        let hd = unsafe {
            Self {
                init: opened.function("hdInitDevice\0")?,
                disable_device: opened.function("hdDisableDevice\0")?,
                make_current: opened.function("hdMakeCurrentDevice\0")?,
                begin: opened.function("hdBeginFrame\0")?,
                end: opened.function("hdEndFrame\0")?,
                enable: opened.function("hdEnable\0")?,
                disable: opened.function("hdDisable\0")?,
                get_doubles: opened.function("hdGetDoublev\0")?,
                get_integers: opened.function("hdGetIntegerv\0")?,
                set_doubles: opened.function("hdSetDoublev\0")?,
                error: opened.function("hdGetError\0")?,
                check_calibration: opened.function("hdCheckCalibration\0")?,
                schedule: opened.function("hdScheduleAsynchronous\0")?,
                unschedule: opened.function("hdUnschedule\0")?,
                start: opened.function("hdStartScheduler\0")?,
                stop: opened.function("hdStopScheduler\0")?,
                update_calibration: opened.function("hdUpdateCalibration\0").ok(),
                set_rate: opened.function("hdSetSchedulerRate\0").ok(),
                get_string: opened.function("hdGetString\0").ok(),
                error_string: opened.function("hdGetErrorString\0").ok(),
                scheduled: AtomicUsize::new(0),
                opened,
            }
        };
        Ok(Arc::new(hd))
    }

    /// Where the library was found.
    pub fn path(&self) -> &str {
        &self.opened.path
    }

    /// Opens a device by the name that its set-up program gave it; its handle, or what is wrong.
    pub fn open(&self, name: &str) -> Result<c_uint, String> {
        while self.error().is_some() {}
        let name = CString::new(name).map_err(|_| "a name with a zero byte".to_owned())?;
        // SAFETY: a text that ends with zero and outlives the call.
        let device = unsafe { (self.init)(name.as_ptr()) };
        match self.error() {
            Some(code) => Err(self.words(code)),
            None if device == INVALID => Err("no device of this name".to_owned()),
            None => Ok(device),
        }
    }

    /// Lets a device go.
    pub fn close(&self, device: c_uint) {
        // SAFETY: takes numbers; an unknown handle is an error code.
        unsafe {
            (self.make_current)(device);
            (self.disable)(FORCE_OUTPUT);
            (self.disable_device)(device);
        }
        while self.error().is_some() {}
    }

    /// The oldest error that has not been asked for.
    pub fn error(&self) -> Option<c_uint> {
        // SAFETY: takes nothing; answers three numbers.
        let info = unsafe { (self.error)() };
        (info.code != 0).then_some(info.code)
    }

    /// An error in the maker's words.
    pub fn words(&self, code: c_uint) -> String {
        // SAFETY: takes a number; answers null or a text that ends with zero and stays.
        let text = self.error_string.map(|get| unsafe { get(code) });
        match text.filter(|text| !text.is_null()) {
            // SAFETY: as above.
            Some(text) => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
            None => format!("error {code:#06x}"),
        }
    }

    /// Model of the current device.
    pub fn model(&self) -> Option<String> {
        // SAFETY: takes a number; answers null or a text that ends with zero.
        let text = self.get_string.map(|get| unsafe { get(MODEL) }).filter(|t| !t.is_null())?;
        // SAFETY: as above; copied before the next call.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    /// Begins a frame of a device: what is read until its end belongs together.
    pub fn begin(&self, device: c_uint) {
        // SAFETY: takes a number.
        unsafe {
            (self.make_current)(device);
            (self.begin)(device);
        }
    }

    /// Ends the frame: forces go out.
    pub fn end(&self, device: c_uint) {
        // SAFETY: takes a number.
        unsafe { (self.end)(device) }
    }

    fn doubles<const N: usize>(&self, what: c_uint) -> [f64; N] {
        let mut values = [0.0; N];
        // SAFETY: room for as many numbers as this parameter has; written during the call only.
        unsafe { (self.get_doubles)(what, values.as_mut_ptr()) };
        values
    }

    /// Position in the maker's axes [mm].
    pub fn position(&self) -> Vec3 {
        self.doubles::<3>(POSITION).into()
    }

    /// Velocity in the maker's axes [mm/s].
    pub fn velocity(&self) -> Vec3 {
        self.doubles::<3>(VELOCITY).into()
    }

    /// Pose in the maker's axes, by columns; lengths in mm.
    pub fn transform(&self) -> [f64; 16] {
        self.doubles(TRANSFORM)
    }

    /// Largest force for a moment and for ever [N]; zero where it does not tell.
    pub fn forces(&self) -> [f64; 2] {
        [self.doubles::<1>(MAX_FORCE)[0], self.doubles::<1>(CONTINUOUS_FORCE)[0]]
    }

    fn integer(&self, what: c_uint) -> c_int {
        // room for a parameter with more numbers than we know of
        let mut values = [0; 4];
        // SAFETY: room for more integers than this parameter has; written during the call only.
        unsafe { (self.get_integers)(what, values.as_mut_ptr()) };
        values[0]
    }

    /// Pressed buttons.
    pub fn buttons(&self) -> u32 {
        self.integer(BUTTONS) as u32
    }

    /// Rate of the scheduler [Hz]; zero where it does not tell.
    pub fn rate(&self) -> c_int {
        self.integer(UPDATE_RATE)
    }

    /// Asks for a rate of the scheduler [Hz]; devices allow few.
    pub fn set_rate(&self, rate: u32) {
        if let Some(set) = self.set_rate {
            // SAFETY: takes a number; a rate it does not have is an error code.
            unsafe { set(c_ulong::from(rate)) };
        }
        while self.error().is_some() {}
    }

    /// Force [N] in the maker's axes; only inside a frame.
    pub fn set_force(&self, force: &Vec3) {
        let values = [force.x, force.y, force.z];
        // SAFETY: three numbers, read during the call only.
        unsafe { (self.set_doubles)(FORCE, values.as_ptr()) }
    }

    /// Motors of the current device on or off.
    pub fn enable(&self, on: bool) {
        // SAFETY: takes a number.
        unsafe { if on { (self.enable)(FORCE_OUTPUT) } else { (self.disable)(FORCE_OUTPUT) } }
    }

    /// State of the calibration of a device.
    pub fn calibration(&self, device: c_uint) -> Calibration {
        // SAFETY: takes a number, then nothing.
        let state = unsafe {
            (self.make_current)(device);
            (self.check_calibration)()
        };
        match state {
            0x5001 => Calibration::NeedsUpdate,
            0x5002 => Calibration::NeedsHand,
            _ => Calibration::Sound,
        }
    }

    /// Lets the library calibrate the current device as it can; the motors are not used.
    pub fn calibrate(&self) {
        let styles = self.integer(CALIBRATION_STYLE) as c_uint;
        let style = [4, 2, 1].into_iter().find(|style| styles & style != 0).unwrap_or(4);
        if let Some(update) = self.update_calibration {
            // SAFETY: takes a number.
            unsafe { update(style) };
        }
    }
}

/// Work that the scheduler does at each of its ticks; false to be called no more.
pub trait Work: Send {
    /// One tick, on the scheduler's thread.
    fn work(&mut self) -> bool;
}

/// Signs between the scheduler's thread and ours.
#[derive(Default)]
struct Signs {
    /// ours: no more work
    leaving: AtomicBool,
    /// theirs: work is going on
    inside: AtomicBool,
    /// theirs: the work asked to be called no more, or broke down
    over: AtomicBool,
}

/// What the scheduler is given. It is never freed, so that a call that comes too late finds the
/// sign to leave.
struct Shell<W> {
    signs: Arc<Signs>,
    work: Option<W>,
}

/// A scheduled callback.
pub struct Scheduled<W: Work> {
    hd: Arc<Hd>,
    handle: c_ulong,
    shell: *mut Shell<W>,
    signs: Arc<Signs>,
}

// SAFETY: the shell is used by the scheduler's thread alone until `leaving` is set and `inside` is
// clear, and by the owner of this struct alone after that; W can be sent.
unsafe impl<W: Work> Send for Scheduled<W> {}

impl<W: Work> Scheduled<W> {
    /// Begins to call `work` from the scheduler's thread.
    pub fn start(hd: &Arc<Hd>, work: W) -> Result<Self, String> {
        let signs = Arc::new(Signs::default());
        let shell = Box::into_raw(Box::new(Shell { signs: signs.clone(), work: Some(work) }));
        while hd.error().is_some() {}
        // SAFETY: the callback has the signature that the scheduler wants; the shell is valid for
        // ever.
        let handle = unsafe { (hd.schedule)(call::<W>, shell.cast(), TOP_PRIORITY) };
        let scheduled = Self { hd: hd.clone(), handle, shell, signs };
        if hd.scheduled.fetch_add(1, Ordering::SeqCst) == 0 {
            // SAFETY: takes nothing.
            unsafe { (hd.start)() };
        }
        match hd.error() {
            None => Ok(scheduled),
            Some(code) => {
                let why = hd.words(code);
                drop(scheduled.stop());
                Err(why)
            }
        }
    }

    /// True while the work goes on.
    pub fn is_running(&self) -> bool {
        !self.signs.over.load(Ordering::SeqCst)
    }

    /// Ends the calls and gives the work back; none if a call does not come to its end.
    pub fn stop(self) -> Option<W> {
        // a call that begins after this line leaves at once: it sets `inside` before it looks here
        self.signs.leaving.store(true, Ordering::SeqCst);
        // SAFETY: takes the number that the scheduler gave us.
        unsafe { (self.hd.unschedule)(self.handle) };
        if self.hd.scheduled.fetch_sub(1, Ordering::SeqCst) == 1 {
            // SAFETY: takes nothing; no other device is scheduled.
            unsafe { (self.hd.stop)() };
        }
        let start = Instant::now();
        while self.signs.inside.load(Ordering::SeqCst) {
            if start.elapsed() > PATIENCE {
                return None;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        // SAFETY: `leaving` is set and `inside` was seen clear after that, so no call touches the
        // work any more; the shell itself is never freed.
        unsafe { (*self.shell).work.take() }
    }
}

/// What the scheduler calls.
unsafe extern "C" fn call<W: Work>(data: *mut c_void) -> c_uint {
    let shell = data.cast::<Shell<W>>();
    // SAFETY: a shell that `start` made and that is never freed; the signs never change place.
    let signs = unsafe { &(*shell).signs };
    signs.inside.store(true, Ordering::SeqCst);
    let go = if signs.leaving.load(Ordering::SeqCst) {
        false
    } else {
        // SAFETY: `inside` was set before `leaving` was seen clear, so the owner waits for us.
        let work = unsafe { &mut (*shell).work };
        // a panic must not run through the maker's code
        let done = catch_unwind(AssertUnwindSafe(|| work.as_mut().is_some_and(Work::work)));
        done.unwrap_or(false)
    };
    if !go {
        signs.over.store(true, Ordering::SeqCst);
    }
    signs.inside.store(false, Ordering::SeqCst);
    if go { CONTINUE } else { DONE }
}
