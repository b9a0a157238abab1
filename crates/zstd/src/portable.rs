//! The part of zstd's interface that Kanzen uses, in Rust alone. Reading is done by `ruzstd`; writing
//! is refused.

use std::io;

/// Whole blocks at once.
pub mod bulk {
    use super::{no_writing, unpack};
    use ruzstd::decoding::FrameDecoder;
    use std::io;
    use std::marker::PhantomData;

    /// Unpacks frames of at most `capacity` bytes together.
    ///
    /// # Errors
    /// If the bytes are no such frames.
    pub fn decompress(packed: &[u8], capacity: usize) -> io::Result<Vec<u8>> {
        unpack(&mut FrameDecoder::new(), packed, capacity)
    }

    /// Unpacks one block after another.
    pub struct Decompressor<'a>(FrameDecoder, PhantomData<&'a ()>);

    impl Decompressor<'_> {
        /// A decoder.
        ///
        /// # Errors
        /// Never, unlike zstd's.
        pub fn new() -> io::Result<Self> {
            Ok(Decompressor(FrameDecoder::new(), PhantomData))
        }

        /// As [`decompress`].
        ///
        /// # Errors
        /// If the bytes are no such frames.
        pub fn decompress(&mut self, packed: &[u8], capacity: usize) -> io::Result<Vec<u8>> {
            unpack(&mut self.0, packed, capacity)
        }

        /// Unpacks into a buffer and returns the number of bytes.
        ///
        /// # Errors
        /// If the bytes are no such frames.
        pub fn decompress_to_buffer(&mut self, packed: &[u8], to: &mut [u8]) -> io::Result<usize> {
            self.0.decode_all(packed, to).map_err(io::Error::other)
        }
    }

    /// What cannot be done here.
    ///
    /// # Errors
    /// Always.
    pub fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
        Err(no_writing())
    }

    /// What cannot be had here.
    pub struct Compressor<'a>(PhantomData<&'a ()>);

    impl Compressor<'_> {
        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn new(_: i32) -> io::Result<Self> {
            Err(no_writing())
        }

        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn compress(&mut self, _: &[u8]) -> io::Result<Vec<u8>> {
            Err(no_writing())
        }

        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn compress_to_buffer(&mut self, _: &[u8], _: &mut Vec<u8>) -> io::Result<usize> {
            Err(no_writing())
        }
    }
}

/// Streams, which checkpoints are: nothing is solved here, so none is read or written.
pub mod stream {
    use super::no_writing;
    use std::io::{self, BufReader, Read, Write};
    use std::marker::PhantomData;

    /// What cannot be had here.
    pub struct Encoder<'a, W>(W, PhantomData<&'a ()>);

    impl<W: Write> Encoder<'_, W> {
        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn new(_: W, _: i32) -> io::Result<Self> {
            Err(no_writing())
        }

        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn include_checksum(&mut self, _: bool) -> io::Result<()> {
            Err(no_writing())
        }

        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn finish(self) -> io::Result<W> {
            Err(no_writing())
        }
    }

    impl<W: Write> Write for Encoder<'_, W> {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(no_writing())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(no_writing())
        }
    }

    /// What cannot be had here.
    pub struct Decoder<'a, R>(R, PhantomData<&'a ()>);

    impl<R: Read> Decoder<'_, BufReader<R>> {
        /// Refuses.
        ///
        /// # Errors
        /// Always.
        pub fn new(_: R) -> io::Result<Self> {
            Err(no_writing())
        }
    }

    impl<R> Read for Decoder<'_, R> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(no_writing())
        }
    }
}

/// Numbers of the format.
pub mod zstd_safe {
    /// The most bytes that so many are packed to.
    pub fn compress_bound(bytes: usize) -> usize {
        bytes + (bytes >> 8) + 64
    }
}

fn no_writing() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "nothing is packed on this machine")
}

fn unpack(
    decoder: &mut ruzstd::decoding::FrameDecoder,
    packed: &[u8],
    capacity: usize,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(capacity);
    decoder.decode_all_to_vec(packed, &mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
