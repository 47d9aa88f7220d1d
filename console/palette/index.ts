/** What keys open, loaded with the first of them. */
export { KeyList } from './key-list';
export { Palette } from './palette';
