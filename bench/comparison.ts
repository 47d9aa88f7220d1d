import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import type { ServerProcess } from './server-process';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
/** Number of connections, if all use one account. */
const CONNECTIONS = 10;

/** An answer that takes longer counts as lost. Ten seconds are too short on a busy machine. */
const PATIENCE_SECONDS = 60;

/** Number of turns of each side. */
export const ROUNDS = 3;

/** A request that both sides answer. */
export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** The path; a function if each request has a different one. */
  readonly path: string | (() => string);
  /** @param person index of the caller */
  readonly body?: (person: number) => string;
  /** Maximum CPU time, as a multiple of the other side's. */
  readonly goal?: number;
  /** Number of requests in a round, if there are not enough for the usual duration. */
  readonly requests?: number;
}

/** A caller. */
export interface Account {
  readonly email: string;
  readonly key: string;
}

/** The cost of a load of some seconds. */
export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  /** Length of a response body. */
  readonly bodyBytes: number;
  /** 99th percentile of response times in milliseconds. */
  readonly slowMs: number;
}

/**
 * Loads both servers in turns, so that other work on the machine affects both equally.
 * @param accounts one connection per account; several for a single one
 * @returns the ratio of their CPU times
 */
export async function compare(
  own: readonly [Call, ServerProcess],
  other: readonly [Call, ServerProcess],
  accounts: readonly Account[],
): Promise<number> {
  const rounds: { own: Figures; other: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ own: await load(...own, accounts), other: await load(...other, accounts) });
  }
  const mine = median(rounds.map((round) => round.own));
  const theirs = median(rounds.map((round) => round.other));
  const sides = (figure: keyof Figures) => [
    mine[figure].toFixed(0),
    theirs[figure].toFixed(0),
    (mine[figure] / theirs[figure]).toFixed(2),
  ];
  print([
    own[0].name,
    ...sides('perSecond'),
    ...sides('cpuMicroseconds'),
    ...sides('bodyBytes'),
    ...sides('slowMs'),
  ]);
  return mine.cpuMicroseconds / theirs.cpuMicroseconds;
}

/** Repeats a request for some seconds. @param connections one per account by default, several for a single one */
export async function load(
  { name, method, path, body, requests: amount }: Call,
  server: ServerProcess,
  accounts: readonly Account[],
  connections = accounts.length > 1 ? accounts.length : CONNECTIONS,
): Promise<Figures> {
  const nextPath = () => `/api/v1${typeof path === 'string' ? path : path()}`;
  let clients = 0;
  let bodyBytes = 0;
  const before = server.cpuMicroseconds();
  const result = await autocannon({
    url: server.url,
    timeout: PATIENCE_SECONDS,
    connections: Math.min(connections, amount ?? Infinity),
    ...(amount === undefined ? { duration: SECONDS } : { amount }),
    setupClient: (client) => {
      const person = clients++ % accounts.length;
      const { email, key } = accounts[person] as Account;
      const headers = {
        authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      };
      const setupRequest = (request: autocannon.Request) => ({
        ...request,
        path: nextPath(),
        ...(body ? { body: body(person) } : {}),
      });
      client.setRequests([{ method, headers, path: nextPath(), setupRequest }]);
    },
    verifyBody: (answer) => {
      bodyBytes += Buffer.byteLength(String(answer));
      return String(answer).startsWith('{"result":"success"');
    },
  });
  const { non2xx, errors, mismatches, requests, latency } = result;
  if (non2xx + errors + mismatches > 0) {
    const counts = `${errors} without an answer, ${non2xx} refused, ${mismatches} unlike a success`;
    throw new Error(`"${name}" failed at ${server.url}: ${counts}`);
  }
  return {
    requests: requests.total,
    perSecond: requests.average,
    cpuMicroseconds: (server.cpuMicroseconds() - before) / requests.total,
    bodyBytes: bodyBytes / requests.total,
    slowMs: latency.p99,
  };
}

function median(figures: readonly Figures[]): Figures {
  const sorted = [...figures].sort((a, b) => a.cpuMicroseconds - b.cpuMicroseconds);
  return sorted[Math.floor(sorted.length / 2)] as Figures;
}

/** The body of a request with these fields. */
export function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

/** Calls a server as an account, for preparations that are not measured. */
export class BenchClient {
  private readonly authorization: string;

  constructor(
    private readonly port: number,
    { email, key }: Account,
  ) {
    this.authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  }

  get(path: string): Promise<Record<string, unknown>> {
    return this.call('GET', path);
  }

  post(path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    return this.call('POST', path, fields);
  }

  async call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    fields?: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    const { authorization } = this;
    const url = `http://127.0.0.1:${this.port}/api/v1${path}`;
    const body = fields && new URLSearchParams(fields);
    const answer = await fetch(url, { method, body, headers: { authorization } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

/** Creates an account on a server that returns API keys. */
export async function addPerson(owner: BenchClient, name: string): Promise<Account & { id: number }> {
  const email = `${name.toLowerCase().replace(/\W/g, '')}@example.com`;
  const person = { email, password: 'a plain lantern at noon', full_name: name };
  const { user_id: id } = await owner.post('/users', person);
  const { api_key: key } = await owner.post('/dev_fetch_api_key', { username: email });
  return { id: Number(id), email, key: String(key) };
}

/** The owner's account, from the file written by the first start. */
export function readZuliprc(file: string): Account {
  const text = readFileSync(file, 'utf8');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { email: value('email'), key: value('key') };
}

/** Prints a row of the table. */
export function print(cells: readonly string[]): void {
  const [first = '', ...rest] = cells;
  process.stdout.write(`${first.padEnd(36)}${rest.map((cell) => cell.padStart(15)).join('')}\n`);
}

/** Prints the header of the table. */
export function printColumns(own: string, other: string): void {
  const figures = ['req/s', 'CPU µs', 'bytes', 'p99 ms'];
  print(['', ...figures.flatMap((figure) => [`${own} ${figure}`, `${other} ${figure}`, 'ratio'])]);
}
