import { SeededRandom } from '../../src/features/operations/demo/content/sample-texts';
import { DemoPeopleService } from '../../src/features/operations/demo/demo-places.service';
import { actorOf } from '../../src/features/users/users.module';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

it('Bots of a sample belong to people who may make some, not to guests', async () => {
  const { gus, mia } = app.cast;
  const accounts = app.get(AccountDirectory);
  const [guest, member] = [gus, mia].map(({ id }) => actorOf(accounts.existing(id)));
  const people = [...Array.from({ length: 30 }, () => guest), member].flatMap((each) => each ?? []);
  const bots = await app.behindTheInterface(() =>
    app.get(DemoPeopleService).addBots(people, new SeededRandom(1)),
  );
  expect(bots.map(({ userId }) => accounts.byId(userId)?.botOwnerId)).toEqual([mia.id]);
});
