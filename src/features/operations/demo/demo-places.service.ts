import { Injectable } from '@nestjs/common';
import { isGuest, type Actor } from '../../../platform/actor';
import {
  ChannelDirectory,
  ChannelFoldersService,
  DEFAULT_CHANNEL_OPTIONS,
  SubscribeService,
} from '../../channels/channels.module';
import { CreateUserGroupService, GroupDirectory } from '../../user-groups/user-groups.module';
import { CHANNELS, TEAMS } from './content/sample-texts';
import type { SeededRandom } from './content/seeded-random';

/** A channel of a sample, and who is in it. */
export interface DemoChannel {
  readonly name: string;
  readonly members: readonly Actor[];
}

/** Makes channels, folders and groups for samples. */
@Injectable()
export class DemoPlacesService {
  constructor(
    private readonly folders: ChannelFoldersService,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscribeService,
    private readonly createGroup: CreateUserGroupService,
    private readonly groups: GroupDirectory,
  ) {}

  /** One group for each team, as long as there are people for it. */
  async addGroups(owner: Actor, people: readonly Actor[], random: SeededRandom): Promise<number> {
    const members = people.filter((person) => !isGuest(person));
    const wanted = TEAMS.slice(0, Math.max(1, Math.floor(members.length / 4)));
    for (const name of wanted) {
      if (this.groups.byName(name)) continue;
      const memberIds = random.some(members, Math.ceil(members.length / 3)).map(({ userId }) => userId);
      await this.createGroup.create(owner, {
        name,
        description: `The team for ${name}`,
        memberIds,
        subgroupIds: [],
        settings: {},
      });
    }
    return wanted.length;
  }

  /** @param owner is subscribed to all of them */
  async addChannels(
    owner: Actor,
    people: readonly Actor[],
    count: number,
    random: SeededRandom,
  ): Promise<DemoChannel[]> {
    const folderIds = await this.addFolders(owner, Math.ceil(count / 4));
    const made: DemoChannel[] = [];
    for (let at = 0; at < count; at++) {
      const sample = CHANNELS[at % CHANNELS.length] as (typeof CHANNELS)[number];
      const name =
        at < CHANNELS.length ? sample.name : `${sample.name} ${Math.floor(at / CHANNELS.length) + 1}`;
      // The first ones are for everybody.
      const members =
        at === 0
          ? people
          : random.some(people, Math.max(3, random.between(people.length / 4, people.length)));
      await this.subscriptions.subscribe(owner, {
        channels: [{ name, description: sample.about }],
        options: {
          ...DEFAULT_CHANNEL_OPTIONS,
          isPrivate: sample.isPrivate,
          isDefault: at === 0,
          folderId: random.happens(0.75) ? random.of(folderIds) : null,
        },
        principals: [owner, ...members].map(({ userId }) => userId),
        announce: false,
        isAuthorizationFatal: true,
        sendMessages: false,
      });
      made.push({ name, members: [owner, ...members] });
    }
    return made;
  }

  private async addFolders(owner: Actor, count: number): Promise<number[]> {
    const known = await this.folders.list(false);
    const ids: number[] = [];
    for (const name of TEAMS.slice(0, count)) {
      const there = known.find((folder) => folder.name === name);
      ids.push(there?.id ?? (await this.folders.create(owner, name, `Channels of ${name}`)));
    }
    return ids;
  }
}
