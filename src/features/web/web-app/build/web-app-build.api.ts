import { StartRefused } from '../../../../platform/config/start-refused';

/** The folder contains no web app that this server can serve; the message has one sentence per line. */
export class WebAppIncompatible extends StartRefused {
  constructor(
    folder: string,
    readonly problems: readonly string[],
  ) {
    super([`${folder} does not contain a usable web app:`, ...problems.map((one) => `- ${one}`)].join('\n'));
  }
}

/** A template contains an unsupported construct. */
export class TemplateNotUnderstood extends Error {
  constructor(file: string, line: number, what: string) {
    super(`${file}, line ${line}: ${what}`);
    this.name = new.target.name;
  }
}
