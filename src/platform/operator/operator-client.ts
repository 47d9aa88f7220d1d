import { connect, type Socket } from 'node:net';
import type { Config } from '../config/config';
import { CommandRefused, type OperatorContext } from './operator-commands';
import { databaseMark, linesOf, type OperatorAnswer, sendLine, socketAddress } from './operator-protocol';

/** The data folder of a server, and the database that it should use. */
type ServerPlace = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** A connection of the command line to the server that runs on a data folder. */
export class RunningServer {
  private constructor(
    private readonly socket: Socket,
    private readonly database: string | null,
  ) {}

  /** @returns null if no server runs on this folder, or not on this machine */
  static async find({ dataDir, databaseUrl }: ServerPlace): Promise<RunningServer | null> {
    const address = socketAddress(dataDir);
    if (!address) return null;
    try {
      return new RunningServer(await open(address.path), databaseMark(databaseUrl));
    } catch (error) {
      if (isServerNotRunning(error)) return null;
      const { code = String(error) } = error as NodeJS.ErrnoException;
      throw new CommandRefused(
        `Cannot reach the running server (${code}). Run this as the user of the server.`,
      );
    } finally {
      address.release();
    }
  }

  /** Runs one command on the server, which ends the connection. @throws CommandRefused */
  async run(command: string, input: object, context: Omit<OperatorContext, 'site'>): Promise<object> {
    const { socket } = this;
    socket.on('error', () => undefined); // this ends the lines
    context.signal.addEventListener('abort', () => socket.destroy());
    sendLine(socket, { command, input, database: this.database });
    try {
      for await (const line of linesOf(socket)) {
        const answer = JSON.parse(line) as OperatorAnswer;
        if ('result' in answer) return answer.result;
        if ('error' in answer) throw new CommandRefused(answer.error);
        context.report(answer.progress);
      }
    } finally {
      socket.destroy();
    }
    throw new CommandRefused(
      'The server stopped before the command finished. Check its log, then try again.',
    );
  }

  /** Closes the connection without sending a command. */
  close(): void {
    this.socket.destroy();
  }
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** There is no socket, or a crashed server left it behind. */
function isServerNotRunning(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTSOCK';
}
