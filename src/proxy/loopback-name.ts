/** Whether a host name or address is this machine. */
export const isLoopbackName = (name: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(name) || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(name);
