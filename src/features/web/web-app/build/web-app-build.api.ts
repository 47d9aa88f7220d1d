import { StartRefused } from '../../../../platform/config/start-refused';

/** The folder is no web app that this server can show; the message has one sentence a line. */
export class WebAppUnfit extends StartRefused {
  constructor(
    folder: string,
    readonly problems: readonly string[],
  ) {
    super([`${folder} does not contain a usable web app:`, ...problems.map((one) => `- ${one}`)].join('\n'));
  }
}

/** A template has something in it that the server does not understand. */
export class TemplateNotUnderstood extends Error {
  constructor(file: string, line: number, what: string) {
    super(`${file}, line ${line}: ${what}`);
    this.name = new.target.name;
  }
}
