import { levelChange } from '../level-change';

/** A time that cannot be read; or code, in which there is none. */
const TIME_OR_CODE = /<code>.*?<\/code>|<pre>.*?<\/pre>|&lt;time:((?:(?!&gt;)[^<\n])+)&gt;/gs;

export const change451WrongTimes = levelChange(
  451,
  'Zulip 12.0, feature level 451: `<time:…>` that cannot be read stays as it is written; before, it was an error.',
  { html: asErrors },
);

function asErrors(html: string): string {
  return html.replace(TIME_OR_CODE, (all: string, time: string | undefined) =>
    time === undefined ? all : `<span class="timestamp-error">Invalid time format: ${time}</span>`,
  );
}
