//! `admissible serve`.

use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU64;
use std::time::Duration;

use admissible_front::Registry;
use admissible_serve::{Bound, Settings, seed};
use clap::Args;

use crate::args::{free_memory, parse_size, parse_time, table_cache};
use crate::{Exit, Failure, ending, tell};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ServeArguments {
    /// The port to listen on; 0 for any free one
    #[arg(long, default_value_t = 7117)]
    port: u16,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The most searches at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    /// The time limit of a search
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    time_limit: Duration,
    /// The memory limit of all searches together [default: half of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<NonZeroU64>,
}

const AFTER_HELP: &str = "\
Everything runs on this machine: the page needs no network, and requests from other pages or under \
other names are refused. Ctrl-C ends it. The API is described at /api/openapi.json.

Examples:
  admissible serve --open
  admissible serve --port 8080 --jobs 2 --time-limit 10s --memory-limit 2G";

/// The memory limit where the system does not report its free memory.
const DEFAULT_MEMORY: u64 = 2 << 30;

pub(crate) fn run(arguments: &ServeArguments, puzzles: Registry) -> Result<Exit, Failure> {
    let address = SocketAddr::new(arguments.host, arguments.port);
    let bound = Bound::new(address).map_err(|error| {
        let hint = if error.kind() == io::ErrorKind::AddrInUse { " (--port 0 takes any free one)" } else { "" };
        Failure::new(format!("cannot listen on {address}: {error}{hint}"))
    })?;
    let url = bound.url();
    let memory = arguments.memory_limit.map(NonZeroU64::get);
    let settings = Settings {
        puzzles,
        jobs: arguments.jobs.into(),
        time: arguments.time_limit,
        memory: memory.or_else(|| free_memory().map(|free| free / 2)).unwrap_or(DEFAULT_MEMORY),
        table_cache: table_cache(),
        seed,
    };
    writeln!(io::stdout(), "{url}")?;
    if !arguments.host.is_loopback() {
        tell("note: other machines can reach this server, and every one of them can use it");
    }
    tell("Ctrl-C ends it.");
    if arguments.open
        && let Err(error) = open::that_detached(&url)
    {
        tell(format_args!("note: no browser could be opened ({error}): open the address above"));
    }
    ending::cancel_forced_end();
    bound.run(settings, ending::await_interruption)?;
    Ok(Exit::Interrupted)
}
