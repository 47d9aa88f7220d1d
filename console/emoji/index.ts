/** The emoji picker, loaded when it is first opened. */
export { EmojiPicker } from './picker';
