//! The floating-point control of a thread.

pub(crate) use machine::{Control, read, write};

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod machine {
    use std::arch::asm;

    /// The sticky exception flags of MXCSR, which every computation sets.
    const FLAGS: u32 = 0x3f;

    /// The control bits of MXCSR and the control word of the x87 unit.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Control {
        pub vector: u32,
        pub x87: u16,
    }

    pub(crate) fn read() -> Control {
        let (mut vector, mut x87) = (0u32, 0u16);
        // SAFETY: stores the register to the four bytes pointed to.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut vector, options(nostack, preserves_flags)) };
        // SAFETY: stores the register to the two bytes pointed to.
        unsafe { asm!("fnstcw [{}]", in(reg) &raw mut x87, options(nostack, preserves_flags)) };
        Control { vector: vector & !FLAGS, x87 }
    }

    pub(crate) fn write(control: Control) {
        let Control { vector, x87 } = control;
        // SAFETY: the word was read from the register, so no reserved bit is set; Rust code ran with it before.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const vector, options(nostack, preserves_flags, readonly)) };
        // SAFETY: as above.
        unsafe { asm!("fldcw [{}]", in(reg) &raw const x87, options(nostack, preserves_flags, readonly)) };
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod machine {
    //! Implemented for x86-64 only; Miri does not support its instructions.

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Control;

    pub(crate) fn read() -> Control {
        Control
    }

    pub(crate) fn write(_: Control) {}
}
