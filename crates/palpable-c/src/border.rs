//! The border: handles that are numbers, words for mistakes, no panic, raw memory of the caller.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// How a call ended.
#[repr(C)]
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum pal_status {
    /// Done.
    PAL_OK = 0,
    /// A pointer that must not be null is.
    PAL_NULL = 1,
    /// A handle that was freed, or never was.
    PAL_BAD_HANDLE = 2,
    /// A text that is not UTF-8, or a name that does not exist.
    PAL_BAD_NAME = 3,
    /// A number that is NaN, infinite or out of range.
    PAL_BAD_NUMBER = 4,
    /// The number of a body, element or port that does not exist.
    PAL_BAD_ID = 5,
    /// A model that cannot be built.
    PAL_BUILD = 6,
    /// Mistakes in a scene or robot file.
    PAL_SCENE = 7,
    /// A change that was refused.
    PAL_CHANGE = 8,
    /// A step that was refused; nothing changed.
    PAL_REFUSED = 9,
    /// A buffer that is too small; the count says how much is needed.
    PAL_TOO_SMALL = 10,
    /// A header of another version.
    PAL_VERSION_DIFFERS = 11,
    /// A device or a servo loop that failed.
    PAL_DEVICE = 12,
    /// A defect of the library; the handle should be freed.
    PAL_DEFECT = 13,
}

/// What went wrong: the status, and words with field and cure.
#[derive(Debug)]
pub struct Wrong(pub pal_status, pub String);

/// The result of a call.
pub type Call<T> = Result<T, Wrong>;

/// A mistake with words.
pub fn wrong<T>(status: pal_status, words: impl Into<String>) -> Call<T> {
    Err(Wrong(status, words.into()))
}

thread_local! {
    static WORDS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The words of the last call of this thread that failed.
pub fn last_words() -> String {
    WORDS.with(|words| words.borrow().clone())
}

/// Runs a call: no panic leaves, words are kept.
pub fn guard(call: impl FnOnce() -> Call<()>) -> pal_status {
    let outcome = catch_unwind(AssertUnwindSafe(call));
    let (status, words) = match outcome {
        Ok(Ok(())) => return pal_status::PAL_OK,
        Ok(Err(Wrong(status, words))) => (status, words),
        Err(_) => {
            let words = "a defect of the library; free the handle and report this";
            (pal_status::PAL_DEFECT, words.to_owned())
        }
    };
    WORDS.with(|kept| *kept.borrow_mut() = words);
    status
}

/// Things behind handles. A handle is a place and a count of who was there before.
#[derive(Debug)]
pub struct Registry<T> {
    slots: RwLock<Slots<T>>,
}

#[derive(Debug)]
struct Slots<T> {
    used: Vec<(u32, Option<Arc<Mutex<T>>>)>,
    free: Vec<u32>,
}

impl<T> Registry<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { slots: RwLock::new(Slots { used: Vec::new(), free: Vec::new() }) }
    }

    /// Keeps a thing; never 0.
    pub fn add(&self, thing: T) -> u64 {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let place = slots.free.pop().unwrap_or(slots.used.len() as u32);
        if place as usize == slots.used.len() {
            slots.used.push((1, None));
        }
        let (count, slot) = &mut slots.used[place as usize];
        *slot = Some(Arc::new(Mutex::new(thing)));
        u64::from(*count) << 32 | u64::from(place)
    }

    fn find(&self, handle: u64) -> Call<Arc<Mutex<T>>> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let (place, count) = (handle as u32 as usize, (handle >> 32) as u32);
        let slot = slots.used.get(place).filter(|(now, _)| *now == count);
        match slot.and_then(|(_, thing)| thing.clone()) {
            Some(thing) => Ok(thing),
            None => wrong(pal_status::PAL_BAD_HANDLE, "this handle was freed, or never was one"),
        }
    }

    /// Works on a thing; other threads wait.
    pub fn with<R>(&self, handle: u64, work: impl FnOnce(&mut T) -> Call<R>) -> Call<R> {
        let thing = self.find(handle)?;
        let Ok(mut thing) = thing.lock() else {
            let words = "an earlier call broke down in here; free the handle";
            return wrong(pal_status::PAL_DEFECT, words);
        };
        work(&mut thing)
    }

    /// Forgets a thing; whoever is at work on it goes on.
    pub fn take(&self, handle: u64) -> Call<Arc<Mutex<T>>> {
        let thing = self.find(handle)?;
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let place = handle as u32;
        let (count, slot) = &mut slots.used[place as usize];
        if slot.take().is_none() {
            return wrong(pal_status::PAL_BAD_HANDLE, "another thread freed this handle");
        }
        // a place whose count has run out is not used again
        if *count < u32::MAX {
            *count += 1;
            slots.free.push(place);
        }
        Ok(thing)
    }
}

/// What a pointer of the caller points to.
pub fn read<T: Copy>(pointer: *const T, what: &str) -> Call<T> {
    if pointer.is_null() {
        return wrong(pal_status::PAL_NULL, format!("{what} is null; pass the address of one"));
    }
    // SAFETY: not null, and by the contract of the header it points to one `T` of the caller
    Ok(unsafe { pointer.read_unaligned() })
}

/// `N` numbers that a pointer of the caller points to.
pub fn numbers<const N: usize>(pointer: *const f64, what: &str) -> Call<[f64; N]> {
    read(pointer.cast(), what)
}

/// Writes to where a pointer of the caller points.
pub fn write<T: Copy>(pointer: *mut T, value: T, what: &str) -> Call<()> {
    if pointer.is_null() {
        return wrong(pal_status::PAL_NULL, format!("{what} is null; pass the address of one"));
    }
    // SAFETY: not null, and by the contract of the header it points to room for one `T`
    unsafe { pointer.write_unaligned(value) };
    Ok(())
}

/// Writes as many values as fit; the count says how many there are.
pub fn fill<T: Copy>(values: &[T], buffer: *mut T, room: usize, count: *mut usize) -> Call<()> {
    if !count.is_null() {
        write(count, values.len(), "count")?;
    }
    let fits = values.len().min(if buffer.is_null() { 0 } else { room });
    // SAFETY: by the contract of the header the buffer holds `room` values
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, fits) };
    if fits < values.len() && !buffer.is_null() {
        let words = format!("the buffer holds {room}, {} are needed", values.len());
        return wrong(pal_status::PAL_TOO_SMALL, words);
    }
    Ok(())
}

/// A text of the caller.
pub fn text(pointer: *const c_char, what: &str) -> Call<String> {
    if pointer.is_null() {
        return wrong(pal_status::PAL_NULL, format!("{what} is null; pass a text"));
    }
    // SAFETY: not null, and by the contract of the header it ends with a zero byte
    let bytes = unsafe { CStr::from_ptr(pointer) };
    match bytes.to_str() {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => wrong(pal_status::PAL_BAD_NAME, format!("{what} is not UTF-8")),
    }
}

/// Writes a text with its zero byte, cut if need be; returns its whole length.
pub fn put_text(words: &str, buffer: *mut c_char, room: usize) -> usize {
    if !buffer.is_null() && room > 0 {
        let fits = words.len().min(room - 1);
        // SAFETY: by the contract of the header the buffer holds `room` bytes; `fits + 1 <= room`
        unsafe {
            std::ptr::copy_nonoverlapping(words.as_ptr().cast(), buffer, fits);
            buffer.add(fits).write(0);
        }
    }
    words.len()
}
