import { el } from './dom.js';
export class CompareView { constructor(store) { this.root = el('p', {}, 'compare'); } begin() {} leave() {} }
