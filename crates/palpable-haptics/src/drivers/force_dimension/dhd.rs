//! The functions of `libdrd` or `libdhd` that we use, behind safe ones.
//!
//! Unsafe code: calls into a maker's library. Signatures follow its public header (`dhdc.h`,
//! `drdc.h`), checked against a stub in the tests only.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_double, c_int, c_uchar, c_uint};
use std::path::Path;

use super::super::library::{LibraryError, Opened, Wanted};
use palpable::Vec3;

const WANTED: Wanted = Wanted {
    library: "the Force Dimension library",
    names: if cfg!(windows) {
        &["drd64.dll", "dhd64.dll"]
    } else if cfg!(target_os = "macos") {
        &["libdrd.3.dylib", "libdrd.dylib", "libdhd.3.dylib", "libdhd.dylib"]
    } else {
        &["libdrd.so.3", "libdrd.so", "libdhd.so.3", "libdhd.so"]
    },
    folders: &["FORCEDIM_SDK", "FDSDK"],
    cure: "install the Force Dimension SDK, then put its folder into FORCEDIM_SDK or give the file",
    update: "install version 3.14 or newer of the Force Dimension SDK",
};

/// Numbers that `dhdGetStatus` may write; newer libraries write more.
const STATUS: usize = 32;

type Plain = unsafe extern "C" fn() -> c_int;
type OfId = unsafe extern "C" fn(c_char) -> c_int;
type Three = unsafe extern "C" fn(*mut c_double, *mut c_double, *mut c_double, c_char) -> c_int;
type Set3 = unsafe extern "C" fn(c_double, c_double, c_double, c_char) -> c_int;
type Set7 = unsafe extern "C" fn(
    c_double,
    c_double,
    c_double,
    c_double,
    c_double,
    c_double,
    c_double,
    c_char,
) -> c_int;
type Switch = unsafe extern "C" fn(c_uchar, c_char) -> c_int;
type Set1 = unsafe extern "C" fn(c_double, c_char) -> c_int;
type Ask = unsafe extern "C" fn(c_char) -> c_uchar;
type Text = unsafe extern "C" fn() -> *const c_char;
type TextOfId = unsafe extern "C" fn(c_char) -> *const c_char;

/// What a call answers: done, nothing new, or an error.
pub type Answer<T> = Result<T, c_int>;

/// The library.
pub struct Dhd {
    count: Plain,
    open: Plain,
    open_id: OfId,
    close: OfId,
    position: Three,
    velocity: Three,
    set_force: Set3,
    set_all: Set7,
    enable: Switch,
    error: Plain,
    error_text: Text,
    /// what older or smaller libraries lack
    more: More,
    /// last, so that it is closed after everything else is gone
    opened: Opened,
}

#[derive(Default)]
struct More {
    brakes: Option<Switch>,
    stop: Option<OfId>,
    orientation: Option<unsafe extern "C" fn(*mut [c_double; 3], c_char) -> c_int>,
    gripper: Option<unsafe extern "C" fn(*mut c_double, c_char) -> c_int>,
    buttons: Option<unsafe extern "C" fn(c_char) -> c_uint>,
    has_wrist: Option<Ask>,
    has_active_wrist: Option<Ask>,
    has_gripper: Option<Ask>,
    name: Option<TextOfId>,
    max_force: Option<Set1>,
    max_torque: Option<Set1>,
    status: Option<unsafe extern "C" fn(*mut c_int, c_char) -> c_int>,
    version: Option<unsafe extern "C" fn(*mut c_int, *mut c_int, *mut c_int, *mut c_int)>,
    drd_open: Option<Plain>,
    drd_open_id: Option<OfId>,
    drd_close: Option<OfId>,
    drd_homed: Option<Ask>,
    drd_home: Option<OfId>,
    drd_stop: Option<unsafe extern "C" fn(c_uchar, c_char) -> c_int>,
}

impl Dhd {
    /// Opens the library and finds its functions.
    pub fn load(path: Option<&Path>) -> Result<Self, LibraryError> {
        let opened = WANTED.open(path)?;
        // SAFETY: every type below is the signature of that name in the maker's header, and the
        // functions live in the same struct as the library, which is dropped last.
        unsafe {
            Ok(Self {
                count: opened.function("dhdGetDeviceCount\0")?,
                open: opened.function("dhdOpen\0")?,
                open_id: opened.function("dhdOpenID\0")?,
                close: opened.function("dhdClose\0")?,
                position: opened.function("dhdGetPosition\0")?,
                velocity: opened.function("dhdGetLinearVelocity\0")?,
                set_force: opened.function("dhdSetForce\0")?,
                set_all: opened.function("dhdSetForceAndTorqueAndGripperForce\0")?,
                enable: opened.function("dhdEnableForce\0")?,
                error: opened.function("dhdErrorGetLast\0")?,
                error_text: opened.function("dhdErrorGetLastStr\0")?,
                more: More {
                    brakes: opened.function("dhdSetBrakes\0").ok(),
                    stop: opened.function("dhdStop\0").ok(),
                    orientation: opened.function("dhdGetOrientationFrame\0").ok(),
                    gripper: opened.function("dhdGetGripperAngleRad\0").ok(),
                    buttons: opened.function("dhdGetButtonMask\0").ok(),
                    has_wrist: opened.function("dhdHasWrist\0").ok(),
                    has_active_wrist: opened.function("dhdHasActiveWrist\0").ok(),
                    has_gripper: opened.function("dhdHasGripper\0").ok(),
                    name: opened.function("dhdGetSystemName\0").ok(),
                    max_force: opened.function("dhdSetMaxForce\0").ok(),
                    max_torque: opened.function("dhdSetMaxTorque\0").ok(),
                    status: opened.function("dhdGetStatus\0").ok(),
                    version: opened.function("dhdGetSDKVersion\0").ok(),
                    drd_open: opened.function("drdOpen\0").ok(),
                    drd_open_id: opened.function("drdOpenID\0").ok(),
                    drd_close: opened.function("drdClose\0").ok(),
                    drd_homed: opened.function("drdIsInitialized\0").ok(),
                    drd_home: opened.function("drdAutoInit\0").ok(),
                    drd_stop: opened.function("drdStop\0").ok(),
                },
                opened,
            })
        }
    }

    /// Where the library was found.
    pub fn path(&self) -> &str {
        &self.opened.path
    }

    /// Version of the library, if it tells.
    pub fn version(&self) -> Option<String> {
        let version = self.more.version?;
        let mut parts = [0; 4];
        let [a, b, c, d] = &mut parts;
        // SAFETY: four valid places for integers, written during the call only.
        unsafe { version(a, b, c, d) };
        Some(parts.map(|part| part.to_string()).join("."))
    }

    /// Number of devices that are plugged in.
    pub fn count(&self) -> c_int {
        // SAFETY: takes nothing.
        unsafe { (self.count)() }
    }

    /// Whether this library has the robotic part.
    fn can_home(&self) -> bool {
        let m = &self.more;
        m.drd_open.is_some()
            && m.drd_open_id.is_some()
            && m.drd_homed.is_some()
            && m.drd_home.is_some()
            && m.drd_close.is_some()
    }

    /// Opens a device, the first one if no index is given; its id, and whether it can be homed.
    pub fn open(&self, index: Option<u8>) -> Answer<(i8, bool)> {
        let take = |first: Plain, by_id: OfId| {
            let id = match index {
                // SAFETY: takes nothing.
                None => unsafe { first() },
                // SAFETY: takes a number; an index without a device is an error code.
                Some(index) => unsafe { by_id(index as c_char) },
            };
            if (0..=127).contains(&id) { Ok(id as i8) } else { Err(self.last_error()) }
        };
        // the robotic part knows about homing, but not every device
        let robotic = self.more.drd_open.zip(self.more.drd_open_id).filter(|_| self.can_home());
        if let Some(Ok(id)) = robotic.map(|(first, by_id)| take(first, by_id)) {
            return Ok((id, true));
        }
        take(self.open, self.open_id).map(|id| (id, false))
    }

    /// Brakes on, motors off, connection closed.
    pub fn close(&self, id: i8, robotic: bool) {
        let id = id as c_char;
        // SAFETY: an id is a number; closing twice is an error code.
        unsafe {
            (self.set_force)(0.0, 0.0, 0.0, id);
            (self.enable)(0, id);
            if let Some(brakes) = self.more.brakes {
                brakes(1, id);
            }
            if let Some(stop) = self.more.stop {
                stop(id);
            }
            match self.more.drd_close.filter(|_| robotic) {
                Some(close) => close(id),
                None => (self.close)(id),
            };
        }
    }

    /// Position in the maker's axes [m].
    pub fn position(&self, id: i8) -> Answer<Vec3> {
        self.three(self.position, id)
    }

    /// Velocity in the maker's axes [m/s].
    pub fn velocity(&self, id: i8) -> Answer<Vec3> {
        self.three(self.velocity, id)
    }

    fn three(&self, get: Three, id: i8) -> Answer<Vec3> {
        let mut v = [0.0; 3];
        let [x, y, z] = &mut v;
        // SAFETY: three valid places for numbers, written during the call only.
        let code = unsafe { get(x, y, z, id as c_char) };
        // 1: nothing new since the last call, the old values are there
        if code >= 0 { Ok(v.into()) } else { Err(self.last_error()) }
    }

    /// Orientation of the handle in the maker's axes, by rows; none if it has no wrist.
    pub fn orientation(&self, id: i8) -> Option<Answer<[[f64; 3]; 3]>> {
        let get = self.more.orientation?;
        let mut rows = [[0.0; 3]; 3];
        // SAFETY: a valid place for three rows of three numbers, written during the call only.
        let code = unsafe { get(rows.as_mut_ptr(), id as c_char) };
        Some(if code >= 0 { Ok(rows) } else { Err(self.last_error()) })
    }

    /// Angle of the gripper [rad].
    pub fn gripper(&self, id: i8) -> Option<f64> {
        let get = self.more.gripper?;
        let mut angle = 0.0;
        // SAFETY: a valid place for a number, written during the call only.
        (unsafe { get(&mut angle, id as c_char) } >= 0).then_some(angle)
    }

    /// Pressed buttons.
    pub fn buttons(&self, id: i8) -> u32 {
        // SAFETY: takes a number.
        self.more.buttons.map_or(0, |get| unsafe { get(id as c_char) })
    }

    fn ask(&self, question: Option<Ask>, id: i8) -> bool {
        // SAFETY: takes a number; a C++ bool is one byte.
        question.is_some_and(|question| unsafe { question(id as c_char) } != 0)
    }

    /// Whether the handle turns.
    pub fn has_wrist(&self, id: i8) -> bool {
        self.ask(self.more.has_wrist, id)
    }

    /// Whether it can push the turning.
    pub fn has_active_wrist(&self, id: i8) -> bool {
        self.ask(self.more.has_active_wrist, id)
    }

    /// Whether it has a gripper.
    pub fn has_gripper(&self, id: i8) -> bool {
        self.ask(self.more.has_gripper, id)
    }

    /// Name of the device.
    pub fn name(&self, id: i8) -> Option<String> {
        let get = self.more.name?;
        // SAFETY: takes a number; answers null or a text that ends with zero.
        let text = unsafe { get(id as c_char) };
        // SAFETY: as above; copied before the next call.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    /// The maker's own net below ours: force [N] and torque [N·m].
    pub fn limit(&self, force: f64, torque: f64, id: i8) {
        for (set, value) in [(self.more.max_force, force), (self.more.max_torque, torque)] {
            if let Some(set) = set {
                // SAFETY: takes numbers; a limit it does not like is an error code.
                unsafe { set(value, id as c_char) };
            }
        }
    }

    /// Force [N] alone, maker's axes.
    pub fn set_force(&self, f: &Vec3, id: i8) -> Answer<()> {
        // SAFETY: takes numbers.
        self.done(unsafe { (self.set_force)(f.x, f.y, f.z, id as c_char) })
    }

    /// Force [N] and torque [N·m], maker's axes; none at the gripper.
    pub fn set_force_and_torque(&self, f: &Vec3, t: &Vec3, id: i8) -> Answer<()> {
        // SAFETY: takes numbers.
        let code = unsafe { (self.set_all)(f.x, f.y, f.z, t.x, t.y, t.z, 0.0, id as c_char) };
        self.done(code)
    }

    /// Motors on or off.
    pub fn enable(&self, on: bool, id: i8) -> Answer<()> {
        // SAFETY: takes numbers.
        self.done(unsafe { (self.enable)(c_uchar::from(on), id as c_char) })
    }

    fn done(&self, code: c_int) -> Answer<()> {
        // above zero: saturated, or no new data; not errors
        if code >= 0 { Ok(()) } else { Err(self.last_error()) }
    }

    /// Whether the motors are on and whether the device reports an error.
    pub fn status(&self, id: i8) -> Option<(bool, bool)> {
        let get = self.more.status?;
        let mut status = [0; STATUS];
        // SAFETY: room for more integers than any version writes (17 so far).
        let code = unsafe { get(status.as_mut_ptr(), id as c_char) };
        (code >= 0).then_some((status[5] != 0, status[9] != 0))
    }

    /// Whether a device that was opened as a robotic one is homed.
    pub fn is_homed(&self, id: i8) -> bool {
        self.ask(self.more.drd_homed, id)
    }

    /// The maker's homing: the handle moves by itself, and this returns when it has ended.
    pub fn home(&self, id: i8) -> Answer<()> {
        let Some(home) = self.more.drd_home else { return Ok(()) };
        // SAFETY: takes a number.
        let code = unsafe { home(id as c_char) };
        if let Some(stop) = self.more.drd_stop {
            // SAFETY: takes numbers; 1 leaves the motors on for our own commands.
            unsafe { stop(1, id as c_char) };
        }
        self.done(code)
    }

    fn last_error(&self) -> c_int {
        // SAFETY: takes nothing.
        unsafe { (self.error)() }
    }

    /// The last error in the maker's words.
    pub fn error_text(&self) -> String {
        // SAFETY: takes nothing; answers null or a text that ends with zero.
        let text = unsafe { (self.error_text)() };
        if text.is_null() {
            return "no reason given".to_owned();
        }
        // SAFETY: as above; copied before the next call.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}
