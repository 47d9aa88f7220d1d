/** The dialogs opened by shortcuts, loaded together on first use. */
export { KeyList } from './key-list';
export { Palette } from './palette';
