import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '../../src/platform/config/config';
import type { Answer, Parameters } from './api-client';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';

/** A file to upload. */
export interface FileToUpload {
  readonly name?: string;
  readonly content?: Buffer | string;
  readonly type?: string;
  readonly field?: string;
}

/** Uploads a file as a person. @returns its URL */
export async function upload(app: TestApp, owner: Member, file: FileToUpload = {}): Promise<string> {
  const answer = await app
    .as(owner)
    .upload('/user_uploads', { name: 'file.txt', content: 'content', ...file });
  return expectSuccess(answer).url;
}

/** Fetches a URL of the site as a person, or anonymously. */
export function load(
  app: TestApp,
  reader: Member | null,
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Answer> {
  return (reader ? app.as(reader) : app.client()).send({ method, url, headers });
}

/** Posts to a channel. @returns the message's ID */
export async function post(
  app: TestApp,
  sender: Member,
  channelId: number,
  content: string,
): Promise<number> {
  return send(app, sender, { type: 'channel', to: channelId, topic: 'files', content });
}

/** Sends a direct message. @returns its ID */
export async function tell(
  app: TestApp,
  sender: Member,
  recipient: Member,
  content: string,
): Promise<number> {
  return send(app, sender, { type: 'direct', to: [recipient.id], content });
}

async function send(app: TestApp, sender: Member, message: Parameters): Promise<number> {
  return expectSuccess(await app.as(sender).post('/messages', message)).id;
}

/** The attachments of a person, as listed by the interface. */
export async function attachmentsOf(app: TestApp, owner: Member) {
  return expectSuccess(await app.as(owner).get('/attachments')).attachments;
}

/** All files for uploads and their thumbnails on the server, including drafts. */
export function storedFiles(
  app: TestApp,
  folder: 'uploads' | 'thumbnails' | 'unfinished' = 'uploads',
): string[] {
  try {
    return readdirSync(join(app.get(Config).dataDir, 'files', folder), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}
