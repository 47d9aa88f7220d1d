import { derivedPath, keyOf, pathOfImported } from '../../../uploads/uploads.module';
import type { Survey } from '../source/survey';

/** Maps paths of the archive's files to their paths here. */
export class UploadPaths {
  private readonly paths = new Map<string, string>();
  private readonly keys = new Set<string>();

  /** @param path path in the archive */
  add(path: string): string {
    const usual = pathOfImported(path);
    const used = this.keys.has(keyOf(usual)) ? derivedPath(path) : usual;
    this.keys.add(keyOf(used));
    this.paths.set(path, used);
    return used;
  }

  /** The path here; null if the archive lacks the file. */
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

/** A URL on a Zulip server, with or without the site. */
const ADDRESS =
  /(https?:\/\/[^\s/()<>"'[\]]{1,255}|(?<![\w./-]))(\/?(?:#narrow\/[^\s)"'<>]+|user_uploads\/(?:thumbnail\/)?\d+\/[^\s"'<>()[\]]+))/g;
const UPLOAD = /user_uploads\/(thumbnail\/)?(.+)/;
const MENTION = /(@_?\*\*[^*\n|]*\|)(\d{1,15})(?=\*\*)/g;
const CHANNEL_OF_LINK = /(#narrow\/(?:channel|stream)\/)(\d{1,15})(?=-|\/|$)/;
const MESSAGE_OF_LINK = /(\/(?:near|with|id)\/)(\d{1,15})/g;
const TOPIC_MESSAGE = /(#\*\*[^*\n]+>[^*\n]*@)(\d{1,15})(?=\*\*)/g;
const PEOPLE_OF_LINK = /(#narrow\/(?:dm|pm-with|sender|dm-including)\/)(\d{1,15}(?:,\d{1,15})*)/;

/** Replaces IDs and paths of the archive in texts. Those that the archive lacks are unchanged. */
export class Texts {
  private readonly ownSites: ReadonlySet<string | null>;

  /** @param siteUrl this server's URL, without a trailing slash */
  constructor(
    private readonly survey: Survey,
    private readonly paths: UploadPaths,
    private readonly siteUrl: string,
  ) {
    this.ownSites = new Set([siteUrl, survey.oldSite.url]);
  }

  rewritten(text: string): string {
    // Most texts contain no references.
    if (!/[@#/]/.test(text)) return text;
    const { accounts, messages } = this.survey;
    return text
      .replace(ADDRESS, (whole, site: string, path: string, at: number) => {
        const here = path.includes('#narrow/') ? this.narrow(path, site) : this.upload(path);
        if (here === null) return whole;
        if (site === '') return here;
        // Relative URLs are only recognized as link targets; there they stay valid if the site moves.
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

  /** @returns null for a file that the archive lacks, on any server */
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
