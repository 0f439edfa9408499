//! The codec that this program was built with, or none: the one place that knows which. Knows no sound.

#[cfg(not(feature = "opus"))]
pub(crate) use none::{NoCodec as Decoder, NoCodec as Encoder, decoders, encoder};
#[cfg(feature = "opus")]
pub(crate) use opus::{Decoder, Encoder, decoders, encoder};

/// Whether there is one.
pub(crate) const IS_THERE: bool = cfg!(feature = "opus");

#[cfg(feature = "opus")]
mod opus {
    use mjolnir_engine_glue::voice::CodecError;
    pub(crate) use mjolnir_engine_glue::voice::{OpusDecoder as Decoder, OpusEncoder as Encoder};

    /// What packs this machine's speech.
    pub(crate) fn encoder() -> Result<Encoder, CodecError> {
        Encoder::new()
    }

    /// What unpacks as many speakers as are heard at a time.
    pub(crate) fn decoders() -> Result<Vec<Decoder>, CodecError> {
        Decoder::all()
    }
}

#[cfg(not(feature = "opus"))]
mod none {
    use mjolnir_engine_glue::voice::{CodecError, Decode, Encode, Frame};

    /// A codec that cannot be had: who asks for one was refused before.
    #[derive(Debug)]
    pub(crate) enum NoCodec {}

    /// There is none.
    pub(crate) const fn encoder() -> Result<NoCodec, CodecError> {
        Err(CodecError)
    }

    /// There are none.
    pub(crate) const fn decoders() -> Result<Vec<NoCodec>, CodecError> {
        Err(CodecError)
    }

    impl Encode for NoCodec {
        fn encode(&mut self, _: &Frame, _: &mut [u8]) -> Result<usize, CodecError> {
            match *self {}
        }

        fn set_kbps(&mut self, _: u8) -> Result<(), CodecError> {
            match *self {}
        }

        fn reset(&mut self) {
            match *self {}
        }
    }

    impl Decode for NoCodec {
        fn decode(&mut self, _: &[u8], _: &mut Frame) -> Result<(), CodecError> {
            match *self {}
        }

        fn recover(&mut self, _: &[u8], _: &mut Frame) -> Result<(), CodecError> {
            match *self {}
        }

        fn conceal(&mut self, _: &mut Frame) -> Result<(), CodecError> {
            match *self {}
        }

        fn reset(&mut self) {
            match *self {}
        }
    }
}
