//! A stand-in for the Force Dimension library: the same functions, one simulated device held by a
//! hand. Compiled by the tests with `rustc --crate-type cdylib`.
#![allow(non_snake_case, clippy::missing_safety_doc, clippy::not_unsafe_ptr_arg_deref)]

use std::ffi::{c_char, c_double, c_int, c_uchar, c_uint};
use std::sync::Mutex;

struct Device {
    time: f64,
    x: [f64; 3],
    v: [f64; 3],
    force: [f64; 3],
    torque: [f64; 3],
    limit: f64,
    on: bool,
    button_off: bool,
    brakes: bool,
    homed: bool,
    plain: bool,
    open: bool,
    devices: i32,
    error: c_int,
    fails: c_int,
    wrist: bool,
    buttons: u32,
    largest: f64,
}

static DEVICE: Mutex<Device> = Mutex::new(Device {
    time: 0.0,
    // the maker's axes: 1 cm towards the user, 2 cm to the right, 3 cm up
    x: [0.01, 0.02, 0.03],
    v: [0.0; 3],
    force: [0.0; 3],
    torque: [0.0; 3],
    limit: 0.0,
    on: false,
    button_off: false,
    brakes: false,
    homed: true,
    plain: false,
    open: false,
    devices: 1,
    error: 0,
    fails: 0,
    wrist: false,
    buttons: 0,
    largest: 0.0,
});

fn with<T>(work: impl FnOnce(&mut Device) -> T) -> T {
    work(&mut DEVICE.lock().unwrap())
}

/// 0 or, if a failure was set, -1.
fn code(device: &mut Device) -> c_int {
    device.error = device.fails;
    if device.fails == 0 { 0 } else { -1 }
}

impl Device {
    /// A millisecond a reading: 0.2 kg, 5 N·s/m and 300 N/m to a place that swings by 2 cm to the
    /// right and left of where it began.
    fn advance(&mut self) {
        let h = 1e-3;
        self.time += h;
        let swing = 0.02 * (std::f64::consts::TAU * self.time).sin();
        let wanted = [0.01, 0.02 + swing, 0.03];
        let acts = self.on && !self.button_off;
        for i in 0..3 {
            let pull = 300.0 * (wanted[i] - self.x[i]) - 5.0 * self.v[i];
            let force = if acts { self.force[i] } else { 0.0 };
            self.v[i] += h * (pull + force) / 0.2;
            self.x[i] += h * self.v[i];
        }
    }
}

/// For the tests: sets (0 to 19) or asks (20 and up) something.
#[unsafe(no_mangle)]
pub extern "C" fn stub_control(what: c_int, value: c_double) -> c_double {
    with(|d| {
        match what {
            0 => d.fails = value as c_int,
            1 => d.button_off = value != 0.0,
            2 => d.homed = value != 0.0,
            3 => d.devices = value as c_int,
            4 => d.wrist = value != 0.0,
            5 => d.buttons = value as c_uint,
            6 => d.plain = value != 0.0,
            20 => return d.force[0],
            21 => return d.force[1],
            22 => return d.force[2],
            23 => return f64::from(u8::from(d.on)),
            24 => return f64::from(u8::from(d.brakes)),
            25 => return f64::from(u8::from(d.open)),
            26 => return d.limit,
            27 => return d.largest,
            28 => return d.torque[2],
            _ => {}
        }
        0.0
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetDeviceCount() -> c_int {
    let set = std::env::var("STUB_DHD_DEVICES").ok().and_then(|n| n.parse().ok());
    set.unwrap_or_else(|| with(|d| d.devices))
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdOpen() -> c_int {
    dhdOpenID(0)
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdOpenID(id: c_char) -> c_int {
    with(|d| {
        if d.open || i32::from(id) >= d.devices {
            d.error = 5;
            return -1;
        }
        d.open = true;
        c_int::from(id)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdClose(_: c_char) -> c_int {
    with(|d| d.open = false);
    0
}

fn put(out: [*mut c_double; 3], values: [f64; 3]) {
    for (place, value) in out.into_iter().zip(values) {
        unsafe { *place = value };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetPosition(
    x: *mut c_double,
    y: *mut c_double,
    z: *mut c_double,
    _: c_char,
) -> c_int {
    with(|d| {
        d.advance();
        put([x, y, z], d.x);
        code(d)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetLinearVelocity(
    x: *mut c_double,
    y: *mut c_double,
    z: *mut c_double,
    _: c_char,
) -> c_int {
    with(|d| {
        put([x, y, z], d.v);
        code(d)
    })
}

#[cfg(not(without_force))]
#[unsafe(no_mangle)]
pub extern "C" fn dhdSetForce(x: c_double, y: c_double, z: c_double, id: c_char) -> c_int {
    dhdSetForceAndTorqueAndGripperForce(x, y, z, 0.0, 0.0, 0.0, 0.0, id)
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdSetForceAndTorqueAndGripperForce(
    x: c_double,
    y: c_double,
    z: c_double,
    tx: c_double,
    ty: c_double,
    tz: c_double,
    _: c_double,
    _: c_char,
) -> c_int {
    with(|d| {
        d.force = [x, y, z];
        d.torque = [tx, ty, tz];
        d.largest = d.largest.max((x * x + y * y + z * z).sqrt());
        code(d)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdEnableForce(on: c_uchar, _: c_char) -> c_int {
    with(|d| d.on = on != 0);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdSetBrakes(on: c_uchar, _: c_char) -> c_int {
    with(|d| d.brakes = on != 0);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdStop(_: c_char) -> c_int {
    with(|d| d.on = false);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdSetMaxForce(limit: c_double, _: c_char) -> c_int {
    with(|d| d.limit = limit);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdErrorGetLast() -> c_int {
    with(|d| d.error)
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdErrorGetLastStr() -> *const c_char {
    match with(|d| d.error) {
        0 => c"no error".as_ptr(),
        2 => c"communication error".as_ptr(),
        5 => c"no device found".as_ptr(),
        7 => c"timeout".as_ptr(),
        _ => std::ptr::null(),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetStatus(status: *mut c_int, _: c_char) -> c_int {
    with(|d| {
        for i in 0..17 {
            unsafe { *status.add(i) = 0 };
        }
        unsafe { *status.add(5) = c_int::from(d.on && !d.button_off) };
    });
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetSDKVersion(a: *mut c_int, b: *mut c_int, c: *mut c_int, d: *mut c_int) {
    for (place, value) in [a, b, c, d].into_iter().zip([3, 17, 6, 1]) {
        unsafe { *place = value };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetSystemName(_: c_char) -> *const c_char {
    c"stub omega.6".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdHasWrist(_: c_char) -> c_uchar {
    with(|d| c_uchar::from(d.wrist))
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdHasActiveWrist(_: c_char) -> c_uchar {
    with(|d| c_uchar::from(d.wrist))
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdHasGripper(_: c_char) -> c_uchar {
    1
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetGripperAngleRad(angle: *mut c_double, _: c_char) -> c_int {
    unsafe { *angle = 0.25 };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn dhdGetButtonMask(_: c_char) -> c_uint {
    with(|d| d.buttons)
}

/// A quarter turn about the maker's x: y to z.
#[unsafe(no_mangle)]
pub extern "C" fn dhdGetOrientationFrame(rows: *mut [c_double; 3], _: c_char) -> c_int {
    let frame = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    for (i, row) in frame.into_iter().enumerate() {
        unsafe { *rows.add(i) = row };
    }
    0
}

#[cfg(not(without_drd))]
mod drd {
    use super::*;

    #[unsafe(no_mangle)]
    pub extern "C" fn drdOpen() -> c_int {
        drdOpenID(0)
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn drdOpenID(id: c_char) -> c_int {
        if with(|d| d.plain) {
            with(|d| d.error = 6);
            return -1;
        }
        dhdOpenID(id)
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn drdClose(id: c_char) -> c_int {
        dhdClose(id)
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn drdIsInitialized(_: c_char) -> c_uchar {
        with(|d| c_uchar::from(d.homed))
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn drdAutoInit(_: c_char) -> c_int {
        with(|d| {
            if code(d) == 0 {
                d.homed = true;
            }
            code(d)
        })
    }

    #[unsafe(no_mangle)]
    pub extern "C" fn drdStop(_: c_uchar, _: c_char) -> c_int {
        0
    }
}
