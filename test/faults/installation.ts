import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { compiledServer } from '../support/compiled-server';
import { freePort } from '../support/free-port';
import { ServerProcess } from '../support/server-process';
import { Caller, siteAt, type Site } from './caller';
import { Probe } from './probe';

const PASSWORD = 'whatever can go wrong does';

/** Some nodes on one database, with all that they need; everything is below one folder that goes in the end. */
export class Installation {
  readonly folder: string;
  readonly nodes: { process: ServerProcess; readonly port: string }[] = [];
  private readonly unclean: string[] = [];
  private readonly endings: (() => unknown)[] = [];
  private static readonly open = new Set<Installation>();
  private ended: Promise<void> | undefined;

  /** Ends all that there are, as where the program is told to stop. */
  static async endAll(): Promise<void> {
    await Promise.all([...Installation.open].map((each) => each.end()));
  }

  constructor() {
    Installation.open.add(this);
    this.folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
    // Others than root run below it, too.
    chmodSync(this.folder, 0o755);
  }

  /** @param end what ends something that was started for this installation; the last one first */
  atEnd(end: () => unknown): void {
    this.endings.unshift(end);
  }

  /** Starts nodes, the first of which makes the organization, and a channel to write into. */
  async start(count: number, env: Readonly<Record<string, string>>): Promise<Site> {
    for (let n = 0; n < count; n++) {
      const port = await freePort();
      this.nodes.push({ process: this.launch(port, env), port });
      this.environment = env;
      await this.nodes[n]?.process.ready();
    }
    const site = { addresses: this.addresses, authorization: this.login(), partnerId: 0 };
    const owner = new Caller(site);
    const made = await owner.call('/users/me/subscriptions', { subscriptions: '[{"name":"faults"}]' });
    if (made.status !== 200) throw new Error(`The channel cannot be made: ${JSON.stringify(made.body)}`);
    const partner = { email: 'partner@example.com', full_name: 'Partner', password: PASSWORD };
    const added = await owner.call('/users', partner);
    if (added.status !== 200) throw new Error(`Nobody can be added: ${JSON.stringify(added.body)}`);
    return { ...site, partnerId: added.body.user_id };
  }

  private get addresses(): string[] {
    return this.nodes.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  /** One for each node, and one for what is in front of them, if anything is. */
  probes(site: Site): Probe[] {
    const { addresses } = this;
    return [
      ...addresses.map((at, n) => new Probe(siteAt({ ...site, isProxy: false }, at), `Node ${n + 1}`)),
      ...(site.isProxy ? [new Probe(site, 'The proxy')] : []),
    ];
  }

  private environment: Readonly<Record<string, string>> = {};

  /** Kills a node, and starts it again on the same port. */
  async kill(at: number): Promise<void> {
    const node = this.nodes[at];
    if (!node) return;
    node.process.signal('SIGKILL');
    await this.startAgain(node);
  }

  /** Stops a node as an operator does, and starts it again. */
  async restart(at: number): Promise<void> {
    const node = this.nodes[at];
    if (!node) return;
    node.process.signal('SIGTERM');
    const code = await this.startAgain(node);
    if (code !== 0) this.unclean.push(`A node ended with ${code} on SIGTERM.`);
  }

  /** Has a node stand still for some time. */
  async hold(at: number, ms: number): Promise<void> {
    const node = this.nodes[at]?.process;
    node?.signal('SIGSTOP');
    await pause(ms);
    node?.signal('SIGCONT');
  }

  private async startAgain(node: Installation['nodes'][number]): Promise<number | null> {
    const code = await node.process.exitCode();
    if (this.ended) return code;
    node.process = this.launch(node.port, this.environment);
    await node.process.ready();
    return code;
  }

  /** Nodes that ended by themselves, whatever happened around them, or did not stop as they should. */
  deaths(): string[] {
    const dead = this.nodes.filter(({ process: { isRunning } }) => !isRunning);
    return [...this.unclean, ...dead.map(({ process: { errors } }) => `A node ended: ${errors}`)];
  }

  /** What `parley check` finds. */
  async check(): Promise<string[]> {
    const program = join(dirname(compiledServer()), 'cli/main.js');
    const env = { PATH: process.env.PATH, DATA_DIR: join(this.folder, 'data'), ...this.environment };
    try {
      await promisify(execFile)(process.execPath, [program, 'check'], { env });
      return [];
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return [`parley check: ${stdout}${stderr}`];
    }
  }

  /** May be called again. */
  end(): Promise<void> {
    this.ended ??= this.endParts();
    return this.ended;
  }

  private async endParts(): Promise<void> {
    for (const { process: node } of this.nodes) {
      node.signal('SIGCONT');
      node.signal('SIGKILL');
      await node.exitCode();
    }
    for (const end of this.endings) await end();
    await pause(100);
    rmSync(this.folder, { recursive: true, force: true });
    Installation.open.delete(this);
  }

  private launch(port: string, env: Readonly<Record<string, string>>): ServerProcess {
    return new ServerProcess([compiledServer()], {
      env: {
        DATA_DIR: join(this.folder, 'data'),
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'silent',
        OWNER_PASSWORD: PASSWORD,
        ...env,
        PORT: port,
      },
    });
  }

  private login(): string {
    const zuliprc = readFileSync(join(this.folder, 'data/zuliprc'), 'utf8');
    const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    return `Basic ${btoa(`${of('email')}:${of('key')}`)}`;
  }
}
