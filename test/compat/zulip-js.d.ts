/** What the compatibility test uses of the package, which comes without types. */
declare module 'zulip-js' {
  type Parameters = Readonly<Record<string, unknown>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers of the server as they are
  type Call<Input = Parameters | undefined> = (input?: Input) => Promise<any>;

  interface Client {
    readonly config: { readonly apiKey: string };
    readonly accounts: { readonly retrieve: Call };
    readonly users: {
      readonly retrieve: Call;
      readonly create: Call;
      readonly me: {
        readonly getProfile: Call;
        readonly pointer: { readonly retrieve: Call; readonly update: Call<number> };
        readonly alertWords: { readonly retrieve: Call };
        readonly subscriptions: { readonly add: Call; readonly remove: Call };
      };
    };
    readonly streams: {
      readonly retrieve: Call;
      readonly getStreamId: Call<Parameters | string>;
      readonly subscriptions: { readonly retrieve: Call };
      readonly topics: { readonly retrieve: Call };
      readonly deleteById: Call;
    };
    readonly messages: {
      readonly send: Call;
      readonly retrieve: Call;
      readonly getById: Call;
      readonly render: Call<Parameters | string>;
      readonly update: Call;
      readonly flags: { readonly add: Call; readonly remove: Call };
      readonly getHistoryById: Call;
      readonly deleteReactionById: Call;
      readonly deleteById: Call;
    };
    readonly reactions: { readonly add: Call; readonly remove: Call };
    readonly emojis: { readonly retrieve: Call };
    readonly queues: { readonly register: Call; readonly deregister: Call };
    readonly events: { readonly retrieve: Call };
    readonly typing: { readonly send: Call };
    readonly filters: { readonly retrieve: Call };
    readonly server: { readonly settings: Call };
    callEndpoint(path: string, method?: string, parameters?: Parameters): ReturnType<Call>;
  }

  function zulip(
    config:
      | { zuliprc: string }
      | ({ username: string; realm: string } & ({ apiKey: string } | { password: string })),
  ): Promise<Client>;

  namespace zulip {
    export { type Client };
  }

  export = zulip;
}
