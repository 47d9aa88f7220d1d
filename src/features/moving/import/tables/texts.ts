import { derivedPath, keyOf, pathOfImported } from '../../../uploads/uploads.module';
import type { Survey } from '../source/survey';

/** Where files of the archive are found here. */
export class UploadPaths {
  private readonly paths = new Map<string, string>();
  private readonly keys = new Set<string>();

  /** @param path that of the archive */
  add(path: string): string {
    const usual = pathOfImported(path);
    const used = this.keys.has(keyOf(usual)) ? derivedPath(path) : usual;
    this.keys.add(keyOf(used));
    this.paths.set(path, used);
    return used;
  }

  /** The path here; null for what the archive does not have. */
  find(path: string): string | null {
    return this.paths.get(path) ?? this.paths.get(decoded(path)) ?? null;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** An address on a server of this kind, with or without the site in front. */
const ADDRESS =
  /(https?:\/\/[^\s/()<>"'[\]]{1,255}|(?<![\w./-]))(\/?(?:#narrow\/[^\s)"'<>]+|user_uploads\/(?:thumbnail\/)?\d+\/[^\s"'<>()[\]]+))/g;
const UPLOAD = /user_uploads\/(thumbnail\/)?(.+)/;
const MENTION = /(@_?\*\*[^*\n|]*\|)(\d{1,15})(?=\*\*)/g;
const CHANNEL_OF_LINK = /(#narrow\/(?:channel|stream)\/)(\d{1,15})(?=-|\/|$)/;
const MESSAGE_OF_LINK = /(\/(?:near|with|id)\/)(\d{1,15})/g;
const TOPIC_MESSAGE = /(#\*\*[^*\n]+>[^*\n]*@)(\d{1,15})(?=\*\*)/g;
const PEOPLE_OF_LINK = /(#narrow\/(?:dm|pm-with|sender|dm-including)\/)(\d{1,15}(?:,\d{1,15})*)/;

/** Puts the new IDs and paths into texts that name those of the archive. What the archive does not have stays. */
export class Texts {
  private readonly ownSites: ReadonlySet<string | null>;

  /** @param siteUrl of this server, without a slash at its end */
  constructor(
    private readonly survey: Survey,
    private readonly paths: UploadPaths,
    private readonly siteUrl: string,
  ) {
    this.ownSites = new Set([siteUrl, survey.oldSite.url]);
  }

  rewritten(text: string): string {
    // Most texts name nothing.
    if (!/[@#/]/.test(text)) return text;
    const { accounts, messages } = this.survey;
    return text
      .replace(ADDRESS, (whole, site: string, path: string, at: number) => {
        const here = path.includes('#narrow/') ? this.narrow(path, site) : this.upload(path);
        if (here === null) return whole;
        if (site === '') return here;
        // Only as the target of a link is an address one without its site, wherever that will be.
        const isTarget = text.slice(Math.max(at - 2, 0), at) === '](';
        return isTarget && site !== this.siteUrl ? here : this.siteUrl + here;
      })
      .replace(MENTION, (_, before: string, id: string) => before + replaced(accounts.find(Number(id)), id))
      .replace(
        TOPIC_MESSAGE,
        (_, before: string, id: string) => before + replaced(messages.find(Number(id)), id),
      );
  }

  /** @returns null for a link to another server */
  private narrow(path: string, site: string): string | null {
    if (site !== '' && !this.ownSites.has(site)) return null;
    const { accounts, channels, messages } = this.survey;
    return path
      .replace(
        CHANNEL_OF_LINK,
        (_, before: string, id: string) => before + replaced(channels.find(Number(id)), id),
      )
      .replace(
        MESSAGE_OF_LINK,
        (_, before: string, id: string) => before + replaced(messages.find(Number(id)), id),
      )
      .replace(PEOPLE_OF_LINK, (_, before: string, ids: string) => {
        const people = ids.split(',').map((id) => replaced(accounts.find(Number(id)), id));
        return before + people.join(',');
      });
  }

  /** @returns null for a file that the archive does not have, wherever it is */
  private upload(path: string): string | null {
    const [whole = '', thumbnail = '', old = ''] = UPLOAD.exec(path) ?? [];
    const found = this.paths.find(old);
    if (found === null) return null;
    const shown = old.includes('%') ? found.split('/').map(encodeURIComponent).join('/') : found;
    return path.replace(whole, () => `user_uploads/${thumbnail}${shown}`);
  }
}

function replaced(id: number | null, old: string): string {
  return id === null ? old : String(id);
}
