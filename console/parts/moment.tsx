import { shownTime } from './format';

/** A time in a table or list. @param seconds UNIX time */
export function Moment({ seconds }: { readonly seconds: number }) {
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{shownTime(seconds)}</time>;
}
