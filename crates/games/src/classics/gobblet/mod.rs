pub static ENTRY: u8 = 0;
