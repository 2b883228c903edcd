// Lessons: small Markdown files of steps. This module reads them, and lists them in a view.
//
// A file begins with `# Title`, options and a summary. Each `## Title` begins a step: paragraphs, a board between lines
// of three backquotes, and options `- name: value`:
//
//   view, puzzle, board (the name of an example), algorithm, heuristic, algorithm1, heuristic1, ..., heuristics, algorithms
//            what is set up; `mine` stands for the heuristic that the person has written
//   mine     the heuristic to go on with if the person has written none
//   press    the button to press, or several with `|` between them, of which the first that is there counts
//   write    the expression that `Show me` writes as the heuristic
//   until    what ends the step: an event (`answer`, `compare`, `audit`, `watch`, `game`, `counterexample`), and a
//            condition on one of its fields, such as `answer cost > 26`
//   then     what is said at its end; `{cost}` is a field of the event

import { LESSONS } from './content.js';
import { el } from './dom.js';
import { language, t } from './language.js';

/** Reads a lesson. */
export function parse(text) {
  const lesson = { title: '', steps: [] };
  let part = Object.assign(lesson, { texts: [], options: {} });
  let board = null;
  let paragraph = [];
  const close = () => {
    if (paragraph.length > 0) part.texts.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const option = line.match(/^- (\w+): (.*)$/);
    if (line.startsWith('```')) {
      close();
      if (board) part.options.text = `${board.join('\n')}\n`;
      board = board ? null : [];
    } else if (board) {
      board.push(line);
    } else if (line.startsWith('## ')) {
      close();
      part = { title: line.slice(3), texts: [], options: {} };
      lesson.steps.push(part);
    } else if (line.startsWith('# ')) {
      lesson.title = line.slice(2);
    } else if (option) {
      close();
      part.options[option[1]] = option[2].trim();
    } else if (line.trim() === '') {
      close();
    } else {
      paragraph.push(line.trim());
    }
  }
  close();
  return lesson;
}

/** The lessons by name, each in the language of the page if it is there: `NAME.zh` beside `NAME`. */
export const lessons = new Map(LESSONS.filter(([name]) => !name.includes('.')).map(([name, text]) => {
  const translated = LESSONS.find(([other]) => other === `${name}.${language}`);
  return [name, parse((translated ?? [name, text])[1])];
}));

/** A paragraph; what is between backquotes is code. */
export const prose = (text) => el('p', {}, text.split('`').map((part, at) =>
  (at % 2 === 1 ? el('code', {}, part) : part)));

/** The list of lessons. */
export class LearnView {
  constructor(store, app) {
    this.root = el('div', { class: 'learn-view' }, [...lessons].map(([name, lesson]) => el(
      'section',
      { class: 'card', 'aria-labelledby': `lesson-${name}` },
      el('h2', { id: `lesson-${name}` }, lesson.title),
      lesson.texts.map(prose),
      el('p', { class: 'help' }, t('{steps} steps, about {minutes} minutes', {
        steps: lesson.steps.length, minutes: lesson.options.minutes,
      })),
      el('div', { class: 'buttons' }, el('button', {
        type: 'button', class: 'primary', 'aria-label': `${t('Begin')}: ${lesson.title}`,
        onclick: () => app.lesson.start(name),
      }, 'Begin')),
    )));
  }

  begin() {}

  leave() {}
}
