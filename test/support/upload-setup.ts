import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '../../src/platform/config/config';
import type { Answer, Parameters } from './api-client';
import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';

/** What somebody uploads. */
export interface FileToUpload {
  readonly name?: string;
  readonly content?: Buffer | string;
  readonly type?: string;
  readonly field?: string;
}

/** Uploads a file as somebody. @returns its address */
export async function upload(app: TestApp, owner: Member, file: FileToUpload = {}): Promise<string> {
  const answer = await app
    .as(owner)
    .upload('/user_uploads', { name: 'file.txt', content: 'content', ...file });
  return expectSuccess(answer).url;
}

/** Fetches an address of the site as somebody, or as nobody. */
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

/** The attachments of somebody, as the interface lists them. */
export async function attachmentsOf(app: TestApp, owner: Member) {
  return expectSuccess(await app.as(owner).get('/attachments')).attachments;
}

/** Every file that the server keeps for uploads, or of smaller versions of them, drafts included. */
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
