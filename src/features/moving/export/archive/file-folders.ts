import { picturePaths } from '../../../emoji/emoji.module';
import { PICTURE_KINDS, picturePath } from '../../../organization/organization.module';
import { storedPath } from '../../../uploads/uploads.module';
import { avatarPaths } from '../../../users/users.module';
import type { ArchiveBuilder } from './archive-builder';
import { type ExportContext, REALM } from './export-context';
import { pagedRows, type RawRow } from './row-files';
import { accountAddresses } from './tables/account-tables';

/** Adds the uploads that exported messages link to, and their rows. */
export async function addUploads(context: ExportContext, archive: ArchiveBuilder): Promise<void> {
  await archive.tables('attachment', [['zerver_attachment', attachmentRows(context)]]);
  await archive.records('uploads', uploads(context, archive));
}

/** Adds profile pictures, emoji, and images of the organization. */
export async function addPictures(context: ExportContext, archive: ArchiveBuilder): Promise<void> {
  await addAvatars(context, archive);
  await archive.records('emoji', emoji(context, archive));
  await archive.records('realm_icons', organizationPictures(context, archive));
}

/** Adds uploaded profile pictures. */
export async function addAvatars(context: ExportContext, archive: ArchiveBuilder): Promise<void> {
  await archive.records('avatars', avatars(context, archive));
}

/**
 * Uploads that exported messages link to, each with its owner's addresses; for an archive of one person, all of their
 * own uploads.
 */
function exportedUploads({ db, scope }: ExportContext): AsyncIterable<RawRow> {
  const all = `
    SELECT a.*, o.delivery_email, o.email_visibility FROM attachment a JOIN account o ON o.id = a.owner_id`;
  if (scope.personId !== null) return pagedRows(db, `${all} WHERE a.owner_id = ?`, ['id'], [scope.personId]);
  const { sql, values } = scope.messages;
  return pagedRows(
    db,
    `${all}
     WHERE EXISTS (
       SELECT 1 FROM attachment_message l JOIN message m ON m.id = l.message_id
       WHERE l.attachment_id = a.id AND ${sql})`,
    ['id'],
    values,
  );
}

async function* attachmentRows(context: ExportContext): AsyncIterable<object> {
  const { sql, values } = context.scope.messages;
  for await (const raw of exportedUploads(context)) {
    const links = await context.db.query<{ id: number }>(
      `SELECT m.id FROM attachment_message l JOIN message m ON m.id = l.message_id
       WHERE l.attachment_id = ? AND ${sql} ORDER BY m.id`,
      [Number(raw.id), ...values],
    );
    yield {
      id: raw.id,
      file_name: raw.file_name,
      path_id: raw.path,
      owner: raw.owner_id,
      realm: REALM,
      create_time: Number(raw.created_at) / 1000,
      size: raw.size,
      content_type: raw.content_type,
      is_realm_public: null,
      is_web_public: null,
      messages: links.map(({ id }) => id),
      scheduled_messages: [],
    };
  }
}

async function* uploads(context: ExportContext, archive: ArchiveBuilder): AsyncIterable<object> {
  for await (const raw of exportedUploads(context)) {
    const path = String(raw.path);
    const size = await archive.stored(`uploads/${path}`, storedPath(path));
    if (size === null) continue;
    yield {
      ...record(path, size),
      ...owner(context, { ...raw, id: raw.owner_id ?? 0 }),
      last_modified: Number(raw.created_at) / 1000,
      content_type: raw.content_type,
    };
  }
}

async function* avatars(context: ExportContext, archive: ArchiveBuilder): AsyncIterable<object> {
  const { sql, values } = context.scope.own(
    `SELECT *, id AS user_id FROM account WHERE avatar_source = 'U' AND avatar_key IS NOT NULL`,
  );
  for await (const raw of pagedRows(context.db, sql, ['id'], values)) {
    const key = String(raw.avatar_key);
    const [small = '', large = small] = avatarPaths(key);
    for (const [ending, stored] of [
      ['png', small],
      ['original', large],
    ] as const) {
      const path = `${REALM}/${key}.${ending}`;
      const size = await archive.stored(`avatars/${path}`, stored);
      if (size === null) continue;
      yield {
        ...record(path, size),
        ...owner(context, raw),
        avatar_version: raw.avatar_version,
        last_modified: raw.date_joined,
        content_type: 'image/png',
      };
    }
  }
}

async function* emoji({ db }: ExportContext, archive: ArchiveBuilder): AsyncIterable<object> {
  for await (const raw of pagedRows(db, 'SELECT * FROM custom_emoji')) {
    const [stored = ''] = picturePaths({
      fileKey: String(raw.file_key),
      isAnimated: Boolean(raw.is_animated),
    });
    const fileName = stored.slice(stored.lastIndexOf('/') + 1);
    for (const ending of ['', '.original']) {
      const path = `${REALM}/emoji/images/${fileName}${ending}`;
      if ((await archive.stored(`emoji/${path}`, stored)) === null) continue;
      yield {
        ...place(path),
        author: raw.author_id,
        file_name: fileName,
        name: raw.name,
        deactivated: Boolean(raw.is_deactivated),
      };
    }
  }
}

async function* organizationPictures(
  { settings }: ExportContext,
  archive: ArchiveBuilder,
): AsyncIterable<object> {
  for (const kind of PICTURE_KINDS) {
    const { key } = settings[kind];
    if (key === null) continue;
    for (const ending of ['png', 'original']) {
      const path = `${REALM}/${kind}.${ending}`;
      if ((await archive.stored(`realm_icons/${path}`, picturePath(key))) !== null) yield place(path);
    }
  }
}

function place(path: string): object {
  return { realm_id: REALM, path, s3_path: path };
}

function record(path: string, size: number): object {
  return { ...place(path), size };
}

function owner(context: ExportContext, account: RawRow): object {
  return {
    user_profile_id: account.id,
    user_profile_email: accountAddresses(context, account).delivery_email,
  };
}
