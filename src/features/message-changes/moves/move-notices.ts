import { silentMention } from '../../messages';
import type { Resolution } from '../rights/resolved-topic';

/** Texts of the notification bot about messages that moved, in Markdown. */

interface Person {
  readonly id: number;
  readonly fullName: string;
}

/** A topic to link to. */
export interface LinkedTopic {
  readonly channelName: string;
  readonly topic: string;
}

/** How much of a topic moved: all of it, or so many messages. */
export type Extent = 'all' | number;

/** What the notification bot says in a topic that was resolved or opened again. */
export function resolutionNotice(person: Person, resolution: Resolution): string {
  return `${silentMention(person)} has marked this topic as ${resolution}.`;
}

/** For the topic into which messages came. */
export function arrivalNotice(person: Person, origin: LinkedTopic, extent: Extent): string {
  return `${movedWhat(extent, 'This topic was')} moved here from ${link(origin)} by ${silentMention(person)}.`;
}

/** For the topic from which messages went. */
export function departureNotice(person: Person, target: LinkedTopic, extent: Extent): string {
  const from = extent === 'all' ? '' : 'from this topic ';
  return `${movedWhat(extent, 'This topic was')} moved ${from}to ${link(target)} by ${silentMention(person)}.`;
}

function movedWhat(extent: Extent, all: string): string {
  if (extent === 'all') return all;
  return extent === 1 ? 'A message was' : `${extent} messages were`;
}

/** Anybody may choose the name of a topic, so one with marks of Markdown in it is spelled out and not linked. */
function link({ channelName, topic }: LinkedTopic): string {
  const isPlain = !/[*`\\[\]<>|$@]/.test(channelName + topic);
  return isPlain ? `#**${channelName}>${topic}**` : escapeMarkdown(`#${channelName} > ${topic}`);
}

/** The text as it is, whatever Markdown would make of it. */
function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.codePointAt(0)};`);
}
