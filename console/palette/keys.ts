import { openPicture } from '../conversations/pictures';
import { ROOT } from '../router';
import * as act from './acts';
import { escapeHome } from '../shell/home';
import { opened } from './commands';
import { focused, press, step, stepChannel, stepConversation, stepRegion, turn } from './steps';

/** Where a shortcut works: anywhere, on a focused message or conversation, or only on a focused message. */
export type When = 'anywhere' | 'item' | 'message';

/** A shortcut: its command, keys and scope, and a function that returns whether it did something. */
type Line = readonly [command: string, keys: readonly string[], when: When, run: () => boolean];

const open = (what: 'palette' | 'keys') => () => ((opened.value = what), true);

/** Focuses or clicks the first visible element. */
function at(selector: string, what: 'focus' | 'click'): boolean {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) => each.checkVisibility());
  found?.[what]();
  return found !== undefined;
}

/** Shortcuts, as in other clients. If several have the same key, the first that does something wins. */
export const KEYS = [
  ['palette', ['Ctrl+k'], 'anywhere', open('palette')],
  ['list', ['?'], 'anywhere', open('keys')],
  ['search', ['/'], 'anywhere', () => at('[role=search] input', 'focus')],
  ['filterChannels', ['q'], 'anywhere', () => act.filter('channels')],
  ['filterPeople', ['w'], 'anywhere', () => act.filter('people')],
  ['userMenu', ['g'], 'anywhere', () => at('.self', 'click')],
  ['nextRegion', ['F6'], 'anywhere', () => stepRegion(1)],
  ['previousRegion', ['Shift+F6'], 'anywhere', () => stepRegion(-1)],
  ['nextConversation', ['Alt+ArrowDown'], 'anywhere', () => stepConversation(1, false)],
  ['previousConversation', ['Alt+ArrowUp'], 'anywhere', () => stepConversation(-1, false)],
  ['nextUnread', ['Alt+Shift+ArrowDown'], 'anywhere', () => stepConversation(1, true)],
  ['previousUnread', ['Alt+Shift+ArrowUp'], 'anywhere', () => stepConversation(-1, true)],
  ['nextChannel', ['D'], 'anywhere', () => stepChannel(1)],
  ['previousChannel', ['A'], 'anywhere', () => stepChannel(-1)],
  ['unreadTopic', ['n'], 'anywhere', () => act.goToUnread('topic')],
  ['unreadFollowed', ['N'], 'anywhere', () => act.goToUnread('followed')],
  ['unreadDirect', ['p'], 'anywhere', () => act.goToUnread('direct')],
  ['inbox', ['I'], 'anywhere', () => act.go(ROOT)],
  ['home', ['Escape'], 'anywhere', escapeHome],
  ['recent', ['t'], 'anywhere', () => act.go(`${ROOT}/recent`)],
  ['feed', ['a'], 'anywhere', () => act.go(`${ROOT}/feed`)],
  ['directs', ['P'], 'anywhere', () => act.go(`${ROOT}/recent?direct=true`)],
  ['starred', ['*'], 'anywhere', () => act.go(`${ROOT}/starred`)],
  ['drafts', ['d'], 'anywhere', () => act.go(`${ROOT}/drafts`)],
  ['newTopic', ['c'], 'anywhere', act.startTopic],
  ['newDirect', ['x'], 'anywhere', () => act.go(`${ROOT}/direct`)],
  ['written', ['Ctrl+.'], 'anywhere', act.goToWritten],
  ['toggleTopic', ['s'], 'anywhere', act.toggleTopic],
  ['muteTopic', ['M'], 'anywhere', act.muteTopic],
  ['subscribe', ['S'], 'anywhere', act.askToSubscribe],
  ['next', ['j'], 'anywhere', () => step(1)],
  ['next', ['ArrowDown'], 'item', () => step(1)],
  ['previous', ['k'], 'anywhere', () => step(-1)],
  ['previous', ['ArrowUp'], 'item', () => step(-1)],
  ['first', ['Home'], 'item', () => step(-Infinity)],
  ['last', ['G'], 'anywhere', () => step(Infinity)],
  ['last', ['End'], 'item', () => step(Infinity)],
  ['pageDown', ['J'], 'anywhere', () => turn(1)],
  ['pageUp', ['K'], 'anywhere', () => turn(-1)],
  ['write', ['r'], 'anywhere', act.write],
  ['write', ['Enter'], 'message', act.write],
  ['replyDirectly', ['R'], 'message', act.replyDirectly],
  ['mentionSender', ['@'], 'message', act.mentionSender],
  ['mentions', ['@'], 'anywhere', () => act.go(`${ROOT}/mentions`)],
  ['quote', ['>'], 'message', () => press('[data-key=quote]')],
  ['forward', ['<'], 'message', act.forward],
  ['react', [':'], 'message', () => press('[data-key=react]')],
  ['thumbsUp', ['+'], 'message', act.thumbsUp],
  ['firstReaction', ['='], 'message', () => press('.reactions button')],
  ['star', ['Ctrl+s'], 'message', () => press('[data-key=star]')],
  ['edit', ['e'], 'message', () => press('[data-key=edit]')],
  ['move', ['m'], 'message', () => act.openFor('move')],
  ['history', ['H'], 'message', () => act.openFor('history')],
  ['receipts', ['V'], 'message', () => act.openFor('receipts')],
  ['markUnread', ['U'], 'message', act.unreadFromHere],
  ['collapse', ['-'], 'message', act.collapse],
  ['context', ['z'], 'message', act.showContext],
  ['sender', ['u'], 'message', () => press('.sender')],
  ['actions', ['i'], 'message', () => press('[data-key=more]')],
  ['pictures', ['v'], 'anywhere', () => openPicture(focused())],
] as const satisfies readonly Line[];

export type Command = (typeof KEYS)[number][0];
