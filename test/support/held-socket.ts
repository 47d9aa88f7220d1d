/** A bound socket of this process that does not listen, like those of systemd. */
interface HeldSocket {
  readonly fd: number;
  bind(address: string, port: number): number;
  getsockname(name: { port?: number }): number;
  close(): void;
}

/** A bound socket on a free port of this machine. */
export function holdSocket(): HeldSocket & { readonly port: number } {
  const { binding } = process as unknown as {
    binding: (name: 'tcp_wrap') => { TCP: new (type: number) => HeldSocket; constants: { SERVER: number } };
  };
  const { TCP, constants } = binding('tcp_wrap');
  const socket = new TCP(constants.SERVER);
  const name: { port?: number } = {};
  if (socket.bind('127.0.0.1', 0) !== 0) throw new Error('No port can be had.');
  socket.getsockname(name);
  return Object.assign(socket, { port: name.port ?? 0 });
}
