/** CPU time of this process in milliseconds: how busy the machine is does not count. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
