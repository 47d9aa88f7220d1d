import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ImportContext,
  type ImportStep,
  type PreparedStep,
  Unique,
  usable,
  usableRows,
} from './import-context';
import type { UploadPaths } from './texts';
import type { Actor } from '../../../../platform/actor';
import { ArchiveRefused } from '../../../../platform/archives/unpacking';
import { writeState } from '../../../../platform/database/server-state';
import { ApiError } from '../../../../platform/errors/api-error';
import type { FileStore } from '../../../../platform/files/file-store';
import { UploadedFile } from '../../../../platform/http/body/uploaded-file';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import type { CustomEmojiPicturesService } from '../../../emoji/emoji.module';
import { type OrganizationPictureFiles, PICTURE_KINDS } from '../../../organization/organization.module';
import { contentTypeOf, shownName, storedPath, UPLOAD_SPACE_STATE } from '../../../uploads/uploads.module';
import type { AvatarService } from '../../../users/users.module';
import { ArchiveRow, RowUnusable } from '../records/archive-row';

/** Uploads of messages. Uploads with missing files are left out, and their links report that they do not exist. */
export class UploadsStep implements ImportStep {
  readonly name = 'uploads';

  constructor(
    private readonly files: FileStore,
    private readonly paths: UploadPaths,
  ) {}

  async prepare(context: ImportContext): Promise<PreparedStep> {
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

  /** Checks that the files exist, without copying them. */
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

/** Maximum size of an imported picture, in bytes. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/**
 * Decodes a picture of the archive, and stores it in the server's formats.
 * @returns null for a missing or invalid picture, which is noted in the ledger
 */
async function portrayed<T>(
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

/** Actor on whose behalf a picture is decoded. */
function actorFor(userId: number): Actor {
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

/** Custom emoji, profile pictures, and images of the organization. */
export class PicturesStep implements ImportStep {
  readonly name = 'pictures';

  constructor(
    private readonly emojiPictures: CustomEmojiPicturesService,
    private readonly avatars: AvatarService,
    private readonly ownPictures: OrganizationPictureFiles,
  ) {}

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const emoji = await this.emoji(context);
    const avatars = await this.avatarKeys(context);
    const own = await this.organizationPictures(context);
    return async (tx) => {
      await insertRows(tx, 'custom_emoji', emoji);
      for (const [userId, key] of avatars)
        await tx.query(`UPDATE account SET avatar_source = 'U', avatar_key = ? WHERE id = ?`, [key, userId]);
      await insertRows(
        tx,
        'organization_setting',
        own,
        'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      );
    };
  }

  /** Dry runs do not decode pictures. */
  rehearse(): Promise<void> {
    return Promise.resolve();
  }

  private async emoji(context: ImportContext): Promise<NewRow[]> {
    const { survey, local } = context;
    const paths = await recordsBy(context, 'emoji', (row) => {
      const path = row.text('path');
      return [row.text('file_name'), path, path.endsWith('.original')];
    });
    const active = new Unique();
    const rows = await usableRows(context, ['zerver_realmemoji'], (row) => {
      const name = row.text('name');
      if (!/^[a-z0-9_-]*[a-z0-9]$/.test(name))
        throw new RowUnusable('Its name has a form that no name may have.');
      const isDeactivated = row.flag('deactivated');
      if (!isDeactivated) active.require(name);
      const author = survey.accounts.find(row.optionalId('author')) ?? local.ownerId;
      return {
        id: survey.emoji.get(row.id()),
        old: row.name,
        name,
        author,
        isDeactivated,
        file: row.text('file_name'),
      };
    });
    const made: NewRow[] = [];
    for (const { id, name, author, isDeactivated, file } of rows) {
      const path = paths.get(file);
      const stored = await portrayed(context, `emoji/${path ?? file}`, (picture) =>
        this.emojiPictures.store(actorFor(author), picture),
      );
      if (stored === null) continue;
      const { fileKey, isAnimated } = stored;
      made.push({
        ...{
          id,
          name,
          file_key: fileKey,
          author_id: author,
          is_animated: isAnimated,
          is_deactivated: isDeactivated,
        },
      });
    }
    return made;
  }

  private async avatarKeys(context: ImportContext): Promise<Map<number, string>> {
    const { survey, operator } = context;
    const paths = await recordsBy(context, 'avatars', (row) => {
      const path = row.text('path');
      return [String(row.id('user_profile_id')), path, path.endsWith('.original')];
    });
    const people = await usableRows(
      context,
      ['zerver_userprofile', 'zerver_userprofile_mirrordummy'],
      (row) =>
        row.value('avatar_source') === 'U' ? { id: survey.accounts.get(row.id()), old: row.id() } : null,
    );
    const keys = new Map<number, string>();
    for (const [at, { id, old }] of people.entries()) {
      const path = paths.get(String(old)) ?? 'records.json of no picture';
      const key = await portrayed(context, `avatars/${path}`, (picture) =>
        this.avatars.store(actorFor(id), picture),
      );
      if (key !== null) keys.set(id, key);
      operator.report({ done: at + 1, total: people.length, what: 'pictures' });
    }
    return keys;
  }

  private async organizationPictures(context: ImportContext): Promise<NewRow[]> {
    const [row] = await usableRows(context, ['zerver_realm'], (each) => each);
    const settings: NewRow[] = [];
    for (const kind of PICTURE_KINDS) {
      if (row?.value(`${kind}_source`) !== 'U') continue;
      const paths = await recordsBy(context, 'realm_icons', (each) => {
        const path = each.text('path');
        return [path.split('/').at(-1)?.split('.')[0] ?? '', path, path.endsWith('.original')];
      });
      const key = await portrayed(context, `realm_icons/${paths.get(kind) ?? kind}`, (picture) =>
        this.ownPictures.store(actorFor(context.local.ownerId), kind, picture),
      );
      const version = row.number(`${kind}_version`, { min: 1, max: 2 ** 31 - 1, otherwise: 1 });
      if (key !== null) settings.push({ name: kind, value: JSON.stringify({ key, version }) });
    }
    return settings;
  }
}

/** Paths of a folder's files by their owner, preferring originals. */
async function recordsBy(
  { source, ledger }: ImportContext,
  folder: string,
  read: (row: ArchiveRow) => [key: string, path: string, isOriginal: boolean],
): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for await (const { row } of source.records(folder)) {
    if (row === null) continue;
    const record = usable(ledger, new ArchiveRow(folder, row), read);
    if (record === null) continue;
    const [key, path, isOriginal] = record;
    if (isOriginal || !paths.has(key)) paths.set(key, path);
  }
  return paths;
}
