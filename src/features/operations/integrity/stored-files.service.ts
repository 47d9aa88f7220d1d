import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { FileStore } from '../../../platform/files/file-store';
import type { OrganizationPicture } from '../../organization-settings/organization-settings.module';
import { picturePaths } from '../../emoji/emoji.module';
import { piecePaths, storedPath, thumbnailNames, thumbnailPath } from '../../uploads/uploads.module';
import { PICTURE_KINDS, picturePath } from '../../organization/organization.module';
import { archivePath } from '../../moving/moving.module';
import { avatarPaths } from '../../users/users.module';
import { MOST_FINDINGS, type Invariant } from './invariants/invariant';

/** A file that must exist. */
interface Expected {
  readonly path: string;
  /** In bytes, if it is known. */
  readonly size: number | null;
  /** What the file is, for the operator. */
  readonly what: string;
}

/** Checks the invariants of users' files, in a folder or a bucket. */
@Injectable()
export class StoredFilesService {
  readonly invariants: readonly Invariant[] = [
    this.invariant('uploads', 'Every uploaded file is there, as long as it was.', uploads),
    this.invariant('thumbnails', 'The smaller versions of pictures are there.', thumbnails),
    this.invariant('unfinished-uploads', 'Every piece of an upload is there.', unfinishedUploads),
    this.invariant('avatars', 'Every uploaded profile picture is there.', avatars),
    this.invariant(
      'organization-pictures',
      'The icon and the logos of the organization are there.',
      organizationPictures,
    ),
    this.invariant('exports', 'Every archive of the organization is there, as long as it was.', archives),
    this.invariant('custom-emoji', 'The pictures of the emoji of the organization are there.', emoji),
  ];

  constructor(private readonly files: FileStore) {}

  private invariant(name: string, about: string, list: (db: Queryable) => Promise<Expected[]>): Invariant {
    return { name, about, find: async (db) => this.missing(await list(db)) };
  }

  private async missing(expected: readonly Expected[]): Promise<string[]> {
    const found: string[] = [];
    for (const { path, size, what } of expected) {
      const stored = await this.files.sizeOf(path);
      if (stored === null) found.push(`${what}: files/${path} is missing.`);
      else if (size !== null && stored !== size)
        found.push(`${what}: files/${path} has ${stored} bytes, not ${size}.`);
      if (found.length > MOST_FINDINGS) break;
    }
    return found;
  }
}

async function uploads(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ id: number; path: string; size: number; name: string }>(
    'SELECT id, path, size, file_name AS name FROM attachment',
  );
  return rows.map(({ id, path, size, name }) => ({
    path: storedPath(path),
    size,
    what: `Upload ${id}, "${name}"`,
  }));
}

async function thumbnails(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ id: number; path: string; animated: unknown; transcoded: string | null }>(
    `SELECT a.id, a.path, p.is_animated AS animated, p.transcoded
     FROM attachment a JOIN attachment_picture p ON p.attachment_id = a.id WHERE p.thumbnails = 'made'`,
  );
  return rows.flatMap(({ id, path, animated, transcoded }) =>
    [...thumbnailNames({ isAnimated: Boolean(animated), transcoded, thumbnails: 'made' })].map(
      ([name, kind]) => ({
        path: thumbnailPath(path, kind),
        size: null,
        what: `Picture ${name} of upload ${id}`,
      }),
    ),
  );
}

async function unfinishedUploads(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ pieces: string; name: string }>(
    'SELECT pieces, file_name AS name FROM unfinished_upload',
  );
  return rows.flatMap(({ name, ...upload }) =>
    piecePaths(upload).map((path) => ({ path, size: null, what: `Piece of the upload "${name}"` })),
  );
}

async function avatars(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ id: number; key: string }>(
    `SELECT id, avatar_key AS key FROM account WHERE avatar_source = 'U' AND avatar_key IS NOT NULL`,
  );
  return rows.flatMap(({ id, key }) =>
    avatarPaths(key).map((path) => ({ path, size: null, what: `Picture of account ${id}` })),
  );
}

async function emoji(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ id: number; name: string; key: string; animated: unknown }>(
    'SELECT id, name, file_key AS key, is_animated AS animated FROM custom_emoji',
  );
  return rows.flatMap(({ id, name, key, animated }) =>
    picturePaths({ fileKey: key, isAnimated: Boolean(animated) }).map((path) => ({
      path,
      size: null,
      what: `Emoji ${id}, "${name}"`,
    })),
  );
}

async function organizationPictures(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ name: string; value: string }>(
    'SELECT name, value FROM organization_setting WHERE name IN (?)',
    [PICTURE_KINDS],
  );
  return rows.flatMap(({ name, value }) => {
    const { key } = JSON.parse(value) as OrganizationPicture;
    return key === null ? [] : [{ path: picturePath(key), size: null, what: `Picture "${name}"` }];
  });
}

async function archives(db: Queryable): Promise<Expected[]> {
  const rows = await db.query<{ id: number; key: string; size: number }>(
    `SELECT id, file_key AS key, size FROM organization_export
     WHERE succeeded_at IS NOT NULL AND deleted_at IS NULL`,
  );
  return rows.map(({ id, key, size }) => ({
    path: archivePath({ fileKey: key }),
    size,
    what: `Export ${id}`,
  }));
}
