import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { docBlocks } from './doc-blocks';

/** Includes Debian's location, which is not on the PATH of most users. */
const PATH = `${process.env.PATH}:/usr/sbin`;

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v'], { env: { PATH } }).status === 0;
}

/** A text in a block, and its replacement on this machine. */
export type Change = readonly [from: string, to: string];

/** nginx configured as in docs/operations.md, as a separate process. */
export class Nginx {
  /** Its output: only errors. */
  said = '';

  private constructor(private readonly process: ChildProcess) {
    process.stderr?.on('data', (chunk) => (this.said += chunk));
  }

  /** The blocks of the document: the site, and the upstream with several nodes. */
  static documented(): { readonly site: string; readonly upstream: string } {
    const [site = '', upstream = ''] = docBlocks('docs/operations.md')
      .filter(({ language }) => language === 'nginx')
      .map(({ code }) => code);
    return { site, upstream };
  }

  /**
   * Resolves once it accepts connections.
   * @param folder an existing one, for its files
   * @param blocks of the document, with each line about another machine replaced
   */
  static async start(
    folder: string,
    port: string,
    blocks: string,
    changes: readonly Change[],
  ): Promise<Nginx> {
    const text = changes.reduce((changed, [from, to]) => {
      if (!changed.includes(from)) throw new Error(`docs/operations.md has no "${from}".`);
      return changed.replaceAll(from, to);
    }, blocks);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const file = join(folder, 'nginx.conf');
    const asRoot = process.getuid?.() === 0 ? 'user root;' : '';
    const http = `http { access_log off; ${temporary.join(' ')}\n${text}}`;
    writeFileSync(file, `daemon off; pid ${join(folder, 'pid')}; ${asRoot}\nevents {}\n${http}\n`);
    mkdirSync(join(folder, 'proxy'), { recursive: true });
    const args = ['-e', 'stderr', '-c', file, '-p', folder];
    const nginx = new Nginx(spawn('nginx', args, { env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] }));
    await nginx.listens(Number(port));
    return nginx;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const closed = once(this.process, 'close');
    this.process.kill('SIGTERM');
    await closed;
  }

  private async listens(port: number): Promise<void> {
    for (;;) {
      if (this.process.exitCode !== null) throw new Error(`nginx ended: ${this.said}`);
      const socket = connect(port, '127.0.0.1');
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isOpen) return;
      await pause(50);
    }
  }
}
