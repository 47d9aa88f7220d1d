import sharp from 'sharp';
import { expectSuccess } from '../../support/expect-answer';
import { callerOf, done, ground, slug, type Races, type Side } from './race';

/** What administrators keep for all. */
export const ORGANIZATION_RACES: Races = {
  'order linkifiers, and remove one': async (app, round) => {
    const { olivia } = app.cast;
    const made: number[] = [];
    for (const part of ['A', 'B'])
      made.push(
        expectSuccess(
          await app.as(olivia).post('/realm/filters', {
            pattern: `${part}${round.replaceAll(' ', 'x')}-(?P<id>[0-9]+)`,
            url_template: 'https://example.com/{id}',
          }),
        ).id,
      );
    const all = expectSuccess(await app.as(olivia).get('/realm/linkifiers')).linkifiers as { id: number }[];
    const ordered = { ordered_linkifier_ids: all.map(({ id }) => id).reverse() };
    return [
      () => app.as(olivia).patch('/realm/linkifiers', ordered),
      () => app.as(olivia).delete(`/realm/filters/${made[0]}`),
    ];
  },
  'change a linkifier, and remove it': async (app, round) => {
    const { olivia } = app.cast;
    const of = (host: string) => ({
      pattern: `C${slug(round)}-(?P<id>[0-9]+)`,
      url_template: `https://${host}.example.com/{id}`,
    });
    const { id } = expectSuccess(await app.as(olivia).post('/realm/filters', of('first')));
    return [
      (call) => app.as(olivia).patch(`/realm/filters/${id}`, of(`host${call}`)),
      () => app.as(olivia).delete(`/realm/filters/${id}`),
    ];
  },
  'add a linkifier, twice': async (app, round) => {
    const { olivia } = app.cast;
    const wanted = { pattern: `T${slug(round)}-(?P<id>[0-9]+)`, url_template: 'https://example.com/{id}' };
    const ids: number[] = [];
    const add: Side = async () => {
      const answer = await app.as(olivia).post('/realm/filters', wanted);
      if (answer.status === 200) ids.push(answer.body.id);
      return answer;
    };
    return [
      add,
      add,
      async ({ one, other }) => {
        for (const id of ids) expectSuccess(await app.as(olivia).delete(`/realm/filters/${id}`));
        expect(done([...one, ...other])).toBe(1);
      },
    ];
  },
  'add an emoji, twice': async (app, round) => {
    const picture = await dot();
    const name = `emoji_${slug(round).replaceAll('-', '_')}`;
    // A few pictures of one person may wait at a time; the others try again, as clients do.
    const add: Side = async (call) => {
      const answer = await app
        .as(callerOf(app, call))
        .upload(`/realm/emoji/${name}`, { name: 'e.png', content: picture });
      return answer.status === 429 ? add(call) : answer;
    };
    return [
      add,
      add,
      async ({ one, other }) => {
        expect(done([...one, ...other])).toBe(1);
        expectSuccess(await app.as(app.cast.adam).delete(`/realm/emoji/${name}`));
      },
    ];
  },
  'react with an emoji, and remove it': async (app, round) => {
    const { mia, max } = app.cast;
    const { message } = await ground(app, round);
    const name = `emoji_${slug(round).replaceAll('-', '_')}`;
    expectSuccess(await app.as(mia).upload(`/realm/emoji/${name}`, { name: 'e.png', content: await dot() }));
    return [
      () => app.as(max).post(`/messages/${message}/reactions`, { emoji_name: name }),
      () => app.as(mia).delete(`/realm/emoji/${name}`),
    ];
  },
  'allow a domain, and take it away': async (app, round) => {
    const { olivia } = app.cast;
    const domain = `d${slug(round)}.example.org`;
    return [
      () => app.as(olivia).post('/realm/domains', { domain, allow_subdomains: false }),
      () => app.as(olivia).delete(`/realm/domains/${domain}`),
      async () => void (await app.as(olivia).delete(`/realm/domains/${domain}`)),
    ];
  },
  'put a channel into a group for newcomers, and remove the group': async (app, round) => {
    const { olivia } = app.cast;
    const { name } = await ground(app, round);
    const made = { group_name: `newcomers ${slug(round)}`, description: '', stream_names: [] };
    expectSuccess(await app.as(olivia).post('/default_stream_groups/create', made));
    const id = await newcomersGroup();
    return [
      () => app.as(olivia).patch(`/default_stream_groups/${id}/streams`, { op: 'add', stream_names: [name] }),
      () => app.as(olivia).delete(`/default_stream_groups/${id}`),
    ];

    async function newcomersGroup(): Promise<number> {
      const state = await app.as(olivia).post('/register', { fetch_event_types: ['default_stream_groups'] });
      const groups = state.body.realm_default_stream_groups as { id: number; name: string }[];
      return groups.find((each) => each.name === made.group_name)!.id;
    }
  },
  'order profile fields, and remove one': async (app, round) => {
    const { olivia } = app.cast;
    const field = { name: `Order ${slug(round)}`, field_type: 1 };
    const { id } = expectSuccess(await app.as(olivia).post('/realm/profile_fields', field));
    const { custom_fields: all } = expectSuccess(await app.as(olivia).get('/realm/profile_fields'));
    const order = (all as { id: number }[]).map((each) => each.id).reverse();
    return [
      () => app.as(olivia).patch('/realm/profile_fields', { order }),
      () => app.as(olivia).delete(`/realm/profile_fields/${id}`),
    ];
  },
};

/** A small picture. */
const dot = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#00f' } })
    .png()
    .toBuffer();
