import { NotUnderstood, required, type Json, type Reducer } from './json';

/** A client's knowledge of its owner's views in the left sidebar. */
export class NavigationModel {
  private readonly views: Map<string, Json>;

  constructor(state: Json) {
    this.views = new Map(state.navigation_views.map((view: Json) => [view.fragment, structuredClone(view)]));
  }

  get content(): Json {
    return { navigationViews: this.views };
  }

  readonly reducers: Record<string, Reducer> = {
    'navigation_view/add': ({ navigation_view: view }) => {
      if (this.views.has(view.fragment)) throw new NotUnderstood(`There is a view ${view.fragment}.`);
      this.views.set(view.fragment, structuredClone(view));
    },
    'navigation_view/update': ({ fragment, data }) => {
      Object.assign(required(this.views, fragment, 'view'), data);
    },
    'navigation_view/remove': ({ fragment }) => {
      required(this.views, fragment, 'view');
      this.views.delete(fragment);
    },
  };
}
