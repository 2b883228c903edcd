import { el } from './dom.js';
export class WatchView { constructor(store) { this.root = el('p', {}, 'watch'); } begin() {} leave() {} }
