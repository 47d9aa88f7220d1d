import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { exportMaking } from '../../src/features/moving/export/exports.service';
import { padding, tarHeader } from '../../src/platform/archives/tar-gz-writer';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';
import { load } from './upload-setup';

/** A row of a table of an archive. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows as they are
export type ArchiveRow = Readonly<Record<string, any>>;

/** The tables of a file, or of `realm.json`. */
export type ArchiveTables = Readonly<Record<string, readonly ArchiveRow[]>>;

/** The files of an archive by path within its folder. */
export class ReadArchive {
  private constructor(readonly files: ReadonlyMap<string, Buffer>) {}

  /** @param compressed a tar archive with one folder, as written by the server */
  static of(compressed: Buffer): ReadArchive {
    const files = new Map<string, Buffer>();
    const tar = gunzipSync(compressed);
    let path: string | undefined;
    for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
      const header = tar.subarray(at, at + 512);
      const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
      const content = tar.subarray(at + 512, at + 512 + size);
      at += 512 * (1 + Math.ceil(size / 512));
      if (header.toString('latin1', 156, 157) === 'x') {
        path = /\d+ path=(.*)\n/.exec(content.toString())?.[1];
        continue;
      }
      const name = path ?? header.toString('utf8', 0, 100).replace(/\0.*$/, '');
      path = undefined;
      files.set(name.slice(name.indexOf('/') + 1), content);
    }
    return new ReadArchive(files);
  }

  /** Writes the files to a folder. */
  unpack(folder: string): void {
    for (const [path, content] of this.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as it is
  json(path: string): any {
    return JSON.parse(this.files.get(path)?.toString() ?? 'null');
  }

  get realm(): ArchiveTables {
    return this.json('realm.json');
  }

  /** The tables of an archive of one person. */
  get user(): ArchiveTables {
    return this.json('user.json');
  }

  /** All of its text. */
  get text(): string {
    return [...this.files.values()].join('\n');
  }

  /** Both tables of all message files. */
  get messages(): ArchiveTables {
    const names = [...this.files.keys()].filter((name) => /^messages-\d{6}\.json$/.test(name)).sort();
    const parts = names.map((name) => this.json(name) as ArchiveTables);
    const all = (table: string) => parts.flatMap((part) => part[table] ?? []);
    return { zerver_message: all('zerver_message'), zerver_usermessage: all('zerver_usermessage') };
  }
}

/** A compressed archive with one folder. */
export function tarOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const blocks = [...files].flatMap(([path, content]) => [
    tarHeader({ path: `made/${path}`, size: content.length, modifiedAt: 0 }),
    content,
    padding(content.length),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** Requests an export as a person. @returns its ID */
export async function requestExport(app: TestApp, by: Member, type = 'public'): Promise<number> {
  const { id } = expectSuccess(await app.as(by).post('/export/realm', { export_type: type }));
  return id;
}

/** The exports visible to the owner. */
export async function exportsOf(app: TestApp): Promise<ArchiveRow[]> {
  return expectSuccess(await app.as(app.cast.olivia).get('/export/realm')).exports;
}

/** Creates and downloads an archive. */
export async function makeArchive(app: TestApp, by: Member, type = 'public'): Promise<ReadArchive> {
  const id = await requestExport(app, by, type);
  await app.get(Jobs).runDue(exportMaking);
  const record = (await exportsOf(app)).find((each) => each.id === id);
  const answer = await load(app, by, new URL(record?.export_url).pathname);
  expect(answer.status).toBe(200);
  return ReadArchive.of(answer.body as Buffer);
}

/** Writes the data of one person to a file, as the operator. */
export function exportPerson(app: TestApp, user: string, target: string): Promise<object> {
  const context = {
    site: 'http://chat.example.com',
    signal: new AbortController().signal,
    report: () => undefined,
  };
  return app.get(OperatorCommands).run('export person', { target, user }, context);
}

/** The data of one person, as an archive. */
export async function personArchive(app: TestApp, person: Pick<Member, 'email'>): Promise<ReadArchive> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-person-'));
  try {
    const target = join(folder, 'person.tar.gz');
    await exportPerson(app, person.email, target);
    return ReadArchive.of(readFileSync(target));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
