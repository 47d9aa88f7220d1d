import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Actor } from '../../../../platform/actor';
import { ArchiveRefused } from '../../../../platform/archives/archive-refused';
import { writeState } from '../../../../platform/database/server-state';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { ApiError } from '../../../../platform/errors/api-error';
import type { FileStore } from '../../../../platform/files/file-store';
import { UploadedFile } from '../../../../platform/http/body/uploaded-file';
import { insertRows, type NewRow } from '../../../../platform/sql/insert-rows';
import { contentTypeOf, shownName, storedPath, UPLOAD_SPACE_STATE } from '../../../uploads/uploads.module';
import { ArchiveRow, RowUnusable } from '../records/archive-row';
import { type ImportContext, type ImportStep, usable } from './import-context';
import type { UploadPaths } from './upload-paths';

/** Uploads that messages link. Those whose file is missing are left out; their links then answer that nothing is there. */
export class UploadsStep implements ImportStep {
  readonly name = 'uploads';

  constructor(
    private readonly files: FileStore,
    private readonly paths: UploadPaths,
  ) {}

  async prepare(context: ImportContext): Promise<(tx: Transaction) => Promise<void>> {
    const rows: NewRow[] = [];
    for await (const { table, row } of context.source.rows('attachment.json')) {
      if (row === null) continue;
      context.operator.signal.throwIfAborted();
      const each = usable(context.ledger, new ArchiveRow(table, row), (used) => this.plan(context, used));
      if (each === null) continue;
      const size = await this.copy(context, each.from, String(each.row.path));
      if (size === null) context.ledger.note('left out', table, each.old, 'Its file is missing.');
      else rows.push({ ...each.row, size });
    }
    const space = new Map<number, number>();
    let total = 0;
    for (const { owner_id: owner, size } of rows) {
      space.set(Number(owner), (space.get(Number(owner)) ?? 0) + Number(size));
      total += Number(size);
    }
    return async (tx) => {
      await insertRows(tx, 'attachment', rows);
      await insertRows(
        tx,
        'upload_space',
        [...space].map(([userId, bytes]) => ({ user_id: userId, bytes })),
      );
      await writeState(tx, UPLOAD_SPACE_STATE, String(total));
    };
  }

  /** Looks for the files without copying them. */
  async rehearse({ source, ledger }: ImportContext): Promise<void> {
    for await (const { table, row } of source.rows('attachment.json')) {
      if (row === null) continue;
      const each = new ArchiveRow(table, row);
      const from = usable(ledger, each, (used) => used.text('path_id'));
      if (from !== null && (await source.file(`uploads/${from}`)) === null)
        ledger.note('left out', table, each.name, 'Its file is missing.');
    }
  }

  private plan({ survey }: ImportContext, row: ArchiveRow): { old: number; from: string; row: NewRow } {
    const from = row.text('path_id');
    const path = this.paths.find(from);
    if (path === null) throw new RowUnusable('Another file has its path.');
    const fileName = shownName(row.text('file_name'));
    return {
      old: row.id(),
      from,
      row: {
        id: survey.attachments.get(row.id()),
        owner_id: survey.accounts.get(row.id('owner')),
        path,
        file_name: fileName,
        content_type: contentTypeOf(fileName, (row.optionalText('content_type') ?? '').toLowerCase()),
        size: 0,
        created_at: Math.floor(row.time('create_time') * 1000),
      },
    };
  }

  private async copy({ source, ledger }: ImportContext, from: string, path: string): Promise<number | null> {
    try {
      const file = await source.file(`uploads/${from}`);
      if (file === null) return null;
      await this.files.write(storedPath(path), (sink) => pipeline(Readable.from(file.content()), sink));
      return file.size;
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      ledger.note('left out', 'uploads', from, 'Its path leads elsewhere.');
      return null;
    }
  }
}

/** Largest picture that is taken, in bytes. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/**
 * Has a picture of the archive decoded and stored anew.
 * @returns null for what is no picture, or missing, which goes to the ledger
 */
export async function portrayed<T>(
  { source, ledger }: ImportContext,
  path: string,
  store: (file: UploadedFile) => Promise<T>,
): Promise<T | null> {
  try {
    const file = await source.file(path);
    if (file === null) throw new RowUnusable('Its file is missing.');
    const content = Readable.from([await file.bytes(MAX_PICTURE_BYTES)]);
    return await store(new UploadedFile('picture', 'image/png', content, Promise.resolve()));
  } catch (error) {
    const isOurs =
      error instanceof ApiError || error instanceof ArchiveRefused || error instanceof RowUnusable;
    if (!isOurs) throw error;
    ledger.note(
      'left out',
      'picture',
      path,
      error instanceof RowUnusable ? error.message : 'It cannot be shown.',
    );
    return null;
  }
}

/** The actor for decoding a picture. */
export function actorFor(userId: number): Actor {
  return {
    userId,
    role: 400,
    isBot: false,
    botType: null,
    ownerId: null,
    way: 'command',
    address: '',
    clientName: 'parley',
  };
}
