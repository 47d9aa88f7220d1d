import { gunzipSync } from 'node:zlib';
import { exportMaking } from '../../src/features/moving/export/exports.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';
import { load } from './upload-setup';

/** A row of a table of an archive. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows as they are
export type ArchiveRow = Readonly<Record<string, any>>;

/** The tables of a file, or of `realm.json`. */
export type ArchiveTables = Readonly<Record<string, readonly ArchiveRow[]>>;

/** The files of an archive by their paths within its folder. */
export class ReadArchive {
  private constructor(readonly files: ReadonlyMap<string, Buffer>) {}

  /** @param compressed a tar archive in one folder, as the server writes them */
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

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as it is
  json(path: string): any {
    return JSON.parse(this.files.get(path)?.toString() ?? 'null');
  }

  get realm(): ArchiveTables {
    return this.json('realm.json');
  }

  /** Both tables of all files with messages. */
  get messages(): ArchiveTables {
    const names = [...this.files.keys()].filter((name) => /^messages-\d{6}\.json$/.test(name)).sort();
    const parts = names.map((name) => this.json(name) as ArchiveTables);
    const all = (table: string) => parts.flatMap((part) => part[table] ?? []);
    return { zerver_message: all('zerver_message'), zerver_usermessage: all('zerver_usermessage') };
  }
}

/** Requests an export as somebody. @returns its ID */
export async function requestExport(app: TestApp, by: Member, type = 'public'): Promise<number> {
  const { id } = expectSuccess(await app.as(by).post('/export/realm', { export_type: type }));
  return id;
}

/** The exports as the owner sees them. */
export async function exportsOf(app: TestApp): Promise<ArchiveRow[]> {
  return expectSuccess(await app.as(app.cast.olivia).get('/export/realm')).exports;
}

/** Has an archive made and fetches it. */
export async function makeArchive(app: TestApp, by: Member, type = 'public'): Promise<ReadArchive> {
  const id = await requestExport(app, by, type);
  await app.get(Jobs).runDue(exportMaking);
  const record = (await exportsOf(app)).find((each) => each.id === id);
  const answer = await load(app, by, new URL(record?.export_url).pathname);
  expect(answer.status).toBe(200);
  return ReadArchive.of(answer.body as Buffer);
}
