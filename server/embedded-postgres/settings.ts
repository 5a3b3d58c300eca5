/** The server's settings as command-line arguments: for a small machine, reached only from itself. */
export function serverSettings(port: number, durable: boolean): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: "127.0.0.1",
    port,
    // A socket's path must be shorter than many a data folder's.
    unix_socket_directories: "",
    max_connections: 100,
    shared_buffers: "128MB",
    work_mem: "8MB",
    random_page_cost: 1.1,
    jit: "off",
    // Parallel queries need more of /dev/shm than containers give, and more cores than two.
    max_parallel_workers_per_gather: 0,
    io_method: "sync",
    wal_level: "minimal",
    max_wal_senders: 0,
    max_wal_size: "256MB",
    timezone: "UTC",
    log_timezone: "UTC",
    ...(durable
      ? {}
      : {
          fsync: "off",
          synchronous_commit: "off",
          full_page_writes: "off",
          max_connections: 200,
          // Tests connect thousands of times; nothing in them is worth guessing a password for.
          scram_iterations: 1,
        }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
