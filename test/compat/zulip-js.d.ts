/** What the compatibility test uses of the package, which comes without types. */
declare module 'zulip-js' {
  type Parameters = Readonly<Record<string, unknown>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answers of the server as they are
  type Call<Input = Parameters | undefined> = (input?: Input) => Promise<any>;

  interface Client {
    readonly config: { readonly apiKey: string };
    readonly users: {
      readonly retrieve: Call;
      readonly create: Call;
      readonly me: {
        readonly getProfile: Call;
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
    };
    readonly reactions: { readonly add: Call; readonly remove: Call };
    readonly emojis: { readonly retrieve: Call };
    readonly server: { readonly settings: Call };
    callEndpoint(path: string, method?: string, parameters?: Parameters): ReturnType<Call>;
  }

  function zulip(
    config: { username: string; realm: string } & ({ apiKey: string } | { password: string }),
  ): Promise<Client>;

  export = zulip;
}
