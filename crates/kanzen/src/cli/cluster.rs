//! Solving on several processes.

use super::args::{Cluster as Options, Game};
use anyhow::{Context, Result, anyhow, bail};
use kanzen_cluster::{Cluster, secret};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

/// The processes that a hosts file names, and this one among them.
pub(super) fn of_hosts(options: &Options) -> Result<Cluster> {
    let text = read(&options.hosts)?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let hosts: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let path = options.hosts.display();
    if hosts.is_empty() {
        bail!("{path} names no hosts: one address a line, such as 10.0.0.7:2100");
    }
    let secret = match &options.secret_file {
        Some(path) => read(path)?.trim().as_bytes().to_vec(),
        None => Vec::new(),
    };
    if options.secret_file.is_some() && secret.len() < 16 {
        bail!("a secret has at least 16 characters");
    }
    if options.tied {
        let hosts = options.hosts.clone();
        std::thread::spawn(move || end_with_crew(&hosts));
    }
    let cluster = Cluster::new(hosts, options.index, secret)
        .map_err(|problem| anyhow!("{path}: {problem} (see --secret-file, --index)"))?;
    Ok(cluster.patience(Duration::from_secs(options.wait)))
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Where a process keeps what it tells those that it starts.
fn private_dir(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("{PRIVATE}{name}"))
}

/// How the names of such directories begin.
const PRIVATE: &str = "kanzen-";

/// Ends this process when the one that started it is gone, however that ended, with the files that it left.
fn end_with_crew(hosts: &Path) {
    let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    if let Some(dir) = hosts.parent()
        && let Some(name) = dir.file_name().and_then(|name| name.to_str()?.strip_prefix(PRIVATE))
        && dir == private_dir(name)
    {
        let _ = fs::remove_dir_all(dir);
    }
    std::process::exit(1);
}

/// Processes on this machine that work for this one, which is the first of them.
pub(super) struct Crew {
    pub(super) cluster: Cluster,
    children: Vec<Child>,
    /// Their standard inputs: these end when this process is gone.
    ties: Vec<ChildStdin>,
    dir: PathBuf,
}

impl Crew {
    /// Starts all processes but this one.
    pub(super) fn start(processes: usize, threads: usize, game: &Game, dir: &Path) -> Result<Crew> {
        // Ports that are free now; a process that finds its port taken says so.
        let listeners: Vec<TcpListener> = (0..processes)
            .map(|_| TcpListener::bind("127.0.0.1:0"))
            .collect::<Result<_, _>>()
            .context("no free ports")?;
        let address = |listener: &TcpListener| listener.local_addr().map(|port| port.to_string());
        let hosts: Vec<String> = listeners.iter().map(address).collect::<Result<_, _>>()?;
        drop(listeners);
        let secret = secret();
        let private = private_dir(&secret[..16]);
        fs::create_dir(&private).with_context(|| private.display().to_string())?;
        let cluster = Cluster::new(hosts.clone(), 0, secret.clone().into_bytes())
            .map_err(|problem| anyhow!(problem))?;
        let (children, ties) = (Vec::new(), Vec::new());
        let mut crew = Crew { cluster, children, ties, dir: private.clone() };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&private, fs::Permissions::from_mode(0o700))?;
        }
        let [hosts_file, secret_file] = ["hosts", "secret"].map(|name| private.join(name));
        fs::write(&hosts_file, hosts.join("\n"))?;
        fs::write(&secret_file, &secret)?;
        for index in 1..processes {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["cluster", &game.name]);
            game.options.iter().for_each(|option| {
                command.args(["-o", option]);
            });
            command.arg("--dir").arg(dir).arg("--hosts").arg(&hosts_file);
            command.arg("--secret-file").arg(&secret_file);
            command.args(["--index", &index.to_string(), "--threads", &threads.to_string()]);
            let child = command.arg("--tied").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
            let mut child = child.context("cannot start a process")?;
            crew.ties.extend(child.stdin.take());
            crew.children.push(child);
        }
        Ok(crew)
    }

    /// Waits until the others have ended.
    pub(super) fn join(mut self) -> Result<()> {
        for mut child in std::mem::take(&mut self.children) {
            let status = child.wait()?;
            if !status.success() {
                bail!("a process has failed: {status}");
            }
        }
        Ok(())
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        // After a failure the others notice that this process is gone, and end by themselves; they
        // are ended if they do not.
        for child in &mut self.children {
            let patient = (0..50).any(|_| {
                let ended = !matches!(child.try_wait(), Ok(None));
                if !ended {
                    std::thread::sleep(Duration::from_millis(100));
                }
                ended
            });
            if !patient {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}
