/** Starts counting and gives how many milliseconds of processor time this thread has spent since: a busy machine changes nothing. */
export function clockOfThread(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const spent = process.threadCpuUsage(start);
    return (spent.user + spent.system) / 1000;
  };
}
