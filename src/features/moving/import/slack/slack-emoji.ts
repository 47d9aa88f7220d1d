import type { JsonRow } from '../../../../platform/archives/json-rows';
import type { ConvertedArchive } from '../converting/converted-archive';
import { ConvertedEmoji } from '../converting/converted-emoji';
import type { FileIndex } from '../converting/file-index';

/** Image file extensions, in order of preference. */
const ENDINGS = ['png', 'gif', 'jpg', 'jpeg', 'webp'];

/** Custom emoji of a workspace, from a folder of images and a list of aliases. */
export class SlackEmoji extends ConvertedEmoji {
  constructor(
    private readonly notes: ConvertedArchive,
    private readonly pictures: FileIndex,
  ) {
    super(notes);
  }

  /** Adds custom emoji and aliases. @param list name to URL, or to `alias:` and another name */
  take(list: JsonRow): void {
    const aliases: string[] = [];
    for (const [name, value] of Object.entries(list)) {
      if (typeof value !== 'string') continue;
      if (value.startsWith('alias:')) {
        this.addAlias(name, value.slice('alias:'.length));
        aliases.push(name);
      } else if (!this.takePicture(name)) this.notes.note('left out', 'emoji', name, 'Image file missing.');
    }
    for (const name of aliases) {
      if (this.find(name) === null)
        this.notes.note('left out', 'emoji', name, 'The alias points to a missing emoji.');
    }
  }

  /** Adds every image of the folder as an emoji named like the file. */
  takePictures(): void {
    for (const path of this.pictures.paths) {
      const [, name, ending] = /([^/]+)\.([a-z]+)$/.exec(path) ?? [];
      if (name !== undefined && ENDINGS.includes(ending ?? '')) this.takePicture(name);
    }
  }

  private takePicture(name: string): boolean {
    if (this.has(name)) return true;
    const place = ENDINGS.map((ending) => this.pictures.byName(`${name}.${ending}`)).find((each) => each);
    if (!place) return false;
    this.add(name, place);
    return true;
  }
}
