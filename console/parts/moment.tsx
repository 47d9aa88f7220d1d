import { shownTime } from './format';

/** A time, where a table or a list has one. @param seconds UNIX time */
export function Moment({ seconds }: { readonly seconds: number }) {
  return <time dateTime={new Date(seconds * 1000).toISOString()}>{shownTime(seconds)}</time>;
}
