export function clockOfThread(): () => number {
  const start = process.threadCpuUsage();
  return () => {
    const spent = process.threadCpuUsage(start);
    return (spent.user + spent.system) / 1000;
  };
}
