import { createHash } from 'node:crypto';
import { parseUploadPath, urlName } from '../../../uploads/uploads.module';
import type { Survey } from '../source/survey';

/** Where files of the archive are found here. */
export class UploadPaths {
  private readonly paths = new Map<string, string>();
  private readonly keys = new Set<string>();

  /** @param path that of the archive; kept but for its first part where it has the form that paths have here */
  add(path: string, fileName: string): string {
    const rest = path.slice(path.indexOf('/') + 1);
    const kept = parseUploadPath(`1/${rest}`);
    const [, , key = ''] = kept?.split('/') ?? [];
    const used = kept !== null && !this.keys.has(key) ? kept : madePath(path, fileName);
    this.keys.add(used.split('/')[2] ?? '');
    this.paths.set(path, used);
    return used;
  }

  /** The path here; null for what the archive does not have. */
  find(path: string): string | null {
    return this.paths.get(path) ?? this.paths.get(decoded(path)) ?? null;
  }
}

/** Deterministic. Anyone with the archive can guess it, but also has the file. */
function madePath(path: string, fileName: string): string {
  const digest = createHash('sha256').update(path).digest();
  return `1/${digest.toString('hex', 0, 1)}/${digest.toString('base64url', 1, 19)}/${urlName(fileName)}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const UPLOAD = /(?<![\w.-])user_uploads\/(thumbnail\/)?(\d+\/[^\s"'<>()[\]]+)/g;
const MENTION = /(@_?\*\*[^*\n|]*\|)(\d{1,15})(?=\*\*)/g;
const CHANNEL_LINK = /(#narrow\/(?:channel|stream)\/)(\d{1,15})(?=-|\/|\)|\s|$)/g;
const MESSAGE_LINK = /(#narrow\/[^\s)"'<>]*\/(?:near|with|id)\/)(\d{1,15})/g;
const TOPIC_MESSAGE = /(#\*\*[^*\n]+>[^*\n]*@)(\d{1,15})(?=\*\*)/g;
const PEOPLE_LINK = /(#narrow\/(?:dm|pm-with|sender|dm-including)\/)(\d{1,15}(?:,\d{1,15})*)/g;

/** Puts the new IDs and paths into texts that name those of the archive. What the archive does not have stays. */
export class Texts {
  constructor(
    private readonly survey: Survey,
    private readonly paths: UploadPaths,
  ) {}

  rewritten(text: string): string {
    // Most texts name nothing.
    if (!/[@#/]/.test(text)) return text;
    const { accounts, channels, messages } = this.survey;
    return text
      .replace(UPLOAD, (whole, thumbnail: string | undefined, path: string) =>
        this.upload(whole, thumbnail, path),
      )
      .replace(MENTION, (_, before: string, id: string) => before + replaced(accounts.find(Number(id)), id))
      .replace(
        CHANNEL_LINK,
        (_, before: string, id: string) => before + replaced(channels.find(Number(id)), id),
      )
      .replace(
        MESSAGE_LINK,
        (_, before: string, id: string) => before + replaced(messages.find(Number(id)), id),
      )
      .replace(
        TOPIC_MESSAGE,
        (_, before: string, id: string) => before + replaced(messages.find(Number(id)), id),
      )
      .replace(PEOPLE_LINK, (_, before: string, ids: string) => {
        const people = ids.split(',').map((id) => replaced(accounts.find(Number(id)), id));
        return before + people.join(',');
      });
  }

  private upload(whole: string, thumbnail: string | undefined, path: string): string {
    const found = this.paths.find(path);
    if (found === null) return whole;
    const shown = path.includes('%') ? found.split('/').map(encodeURIComponent).join('/') : found;
    return `user_uploads/${thumbnail ?? ''}${shown}`;
  }
}

function replaced(id: number | null, old: string): string {
  return id === null ? old : String(id);
}
