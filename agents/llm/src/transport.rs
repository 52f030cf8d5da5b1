//! How bytes reach the endpoint: over the network, or over connections that the arena opens for an agent that has none.
//! It moves bytes and knows neither requests nor games.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport};
use ureq::{Agent, Error};

/// A connection that somebody else has opened: a stream whose waiting can be bounded.
pub trait BoundedStream: Read + Write + Send + Sync + fmt::Debug {
    /// Bounds each later wait for bytes, either way.
    ///
    /// # Errors
    /// The stream is not usable any more.
    fn set_timeout(&self, timeout: Option<Duration>) -> io::Result<()>;
}

/// Opens a connection to the one host that may be reached.
pub type Dial = Arc<dyn Fn() -> io::Result<Box<dyn BoundedStream>> + Send + Sync>;

/// The client for all requests.
pub(crate) fn client(config: Config, dial: Option<Dial>) -> Agent {
    let Some(dial) = dial else { return Agent::new_with_config(config) };
    let connector = ().chain(Dialled(dial));
    #[cfg(feature = "https")]
    let connector = connector.chain(ureq::unversioned::transport::RustlsConnector::default());
    Agent::with_parts(config, connector, NoNames)
}

struct Dialled(Dial);

impl fmt::Debug for Dialled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dialled")
    }
}

impl<In: Transport> Connector<In> for Dialled {
    type Out = Connection;

    fn connect(&self, details: &ConnectionDetails<'_>, _: Option<In>) -> Result<Option<Connection>, Error> {
        let stream = (self.0)()?;
        let (input, output) = (details.config.input_buffer_size(), details.config.output_buffer_size());
        Ok(Some(Connection { stream, buffers: LazyBuffers::new(input, output) }))
    }
}

#[derive(Debug)]
struct Connection {
    stream: Box<dyn BoundedStream>,
    buffers: LazyBuffers,
}

impl Connection {
    /// What `io` says, with waiting that lasted too long as a timeout.
    fn bounded<T>(
        &mut self,
        timeout: NextTimeout,
        io: impl FnOnce(&mut Connection) -> io::Result<T>,
    ) -> Result<T, Error> {
        let left = timeout.not_zero().map(|left| *left);
        self.stream.set_timeout(left)?;
        io(self).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Error::Timeout(timeout.reason),
            _ => error.into(),
        })
    }
}

impl Transport for Connection {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.bounded(timeout.for_write(), |own| own.stream.write_all(&own.buffers.output()[..amount]))
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        let count = self.bounded(timeout.for_read(), |own| own.stream.read(own.buffers.input_append_buf()))?;
        self.buffers.input_appended(count);
        Ok(count > 0)
    }

    /// A connection that has rested is not used again: whether the other end has closed it cannot be seen from here.
    fn is_open(&mut self) -> bool {
        false
    }
}

/// Looks up nothing: who dials knows where to.
#[derive(Debug)]
struct NoNames;

impl Resolver for NoNames {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let mut none = self.empty();
        none.push(([0, 0, 0, 0], 0).into());
        Ok(none)
    }
}
