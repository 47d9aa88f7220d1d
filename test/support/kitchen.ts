import { BrowserRun } from './browser';
import { createChannelWith } from './channel-setup';
import type { TestApp, TestAppOptions } from './test-app';

/** The starting point of most console tests. */
interface Kitchen {
  readonly run: BrowserRun;
  readonly app: TestApp;
  /** ID of #kitchen, whose subscribers are Mia, Max and Olivia. */
  readonly channel: number;
  readonly topicPath: (topic: string) => string;
}

/** Starts a server with a browser and #kitchen before the tests of a group; closes the pages of each test after it. */
export function startKitchen(options: TestAppOptions = {}): Kitchen {
  const kitchen = {
    get app() {
      return kitchen.run.app;
    },
    topicPath: (topic: string) => `/console/channels/${kitchen.channel}/topic/${encodeURIComponent(topic)}`,
  } as { -readonly [K in keyof Kitchen]: Kitchen[K] };
  beforeAll(async () => {
    kitchen.run = await BrowserRun.start(options);
    const { mia, max, olivia } = kitchen.app.cast;
    kitchen.channel = await createChannelWith(kitchen.app, olivia, [mia, max], 'kitchen');
  });
  afterEach(() => kitchen.run.closeAll());
  afterAll(() => kitchen.run.stop());
  return kitchen;
}
