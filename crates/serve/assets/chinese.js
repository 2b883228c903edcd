// The Chinese texts of the page, by their English ones. The texts of a puzzle are in its own module.

export const CHINESE = {
  // The head and the views.
  'To the content': '跳到正文', 'Puzzles': '谜题', 'Views': '视图', 'Puzzle': '谜题', 'Watch': '观察', ' the search': '搜索',
  'Compare': '比较', 'Audit': '审查', 'Learn': '学习', 'Dark mode': '深色模式', 'Light or dark': '浅色或深色',
  'Large type for a projector': '投影用大字号', 'Dismiss': '关闭', 'Lesson': '课程', 'A+': '大字',

  // The puzzle view.
  'Board': '棋盘', 'The board': '棋盘', 'The board itself': '棋盘本身', 'Play': '玩', 'Solution': '解', 'Edit': '编辑', 'Goal': '目标',
  'What to do with the board': '对棋盘做什么', 'Search': '搜索', 'Algorithm': '算法', 'Heuristic': '启发函数',
  'what suits the board': '适合此棋盘的', 'the strongest admissible': '最强的可采纳函数', 'an expression …': '表达式 …',
  'Expression': '表达式', 'Solve': '求解', 'Cancel': '取消', 'Searching…': '正在搜索…', 'Cancelled.': '已取消。',
  'Example': '例子', 'Classics, with their fewest moves': '经典布局（最少步数）', 'Random': '随机', 'Draw': '出题',
  'Board of the day': '每日一题', 'easy': '容易', 'medium': '中等', 'hard': '困难',
  'Open a file, or drop or paste one anywhere': '打开文件，也可拖放或粘贴', 'As text': '文本', 'The board as text': '棋盘文本',
  'Read': '读入', 'Download': '下载', 'Copy link': '复制链接', 'Copied.': '已复制。',
  'Copied, but the board is too large for a link.': '已复制，但棋盘太大，链接里放不下。',
  'The link is in the address of this page.': '链接就是本页的地址。', 'A new board.': '新棋盘。',
  'random board {seed}': '随机棋盘 {seed}', 'board of {date}': '{date} 的棋盘', 'pasted text': '粘贴的文本',

  // Playing.
  'Moves': '步数', 'Steps': '格数', 'What to count': '计数方式', 'shortest': '最少', 'unknown': '未知', 'none': '无解',
  'your best {best}': '你的最好成绩 {best}', 'Undo': '撤销', 'Redo': '重做', 'Start again': '重新开始', 'Hint': '提示',
  'Share the result': '分享成绩', 'The result is in the clipboard.': '成绩已复制到剪贴板。',
  'Solved in {count} {unit}': '解开了：{count} {unit}', 'step': '格', 'steps': '格', 'move': '步', 'moves': '步',
  ', which is optimal': '，这是最优解', '; {best} is proved best': '；已证明最少 {best}', '.': '。',
  'That is not possible.': '不能这样走。', 'Looking for the best move…': '正在寻找最佳走法…',
  'No solution from here: undo.': '从这里无解：请撤销。', 'No hint: the search took too long.': '没有提示：搜索时间太长。',
  'It is solved.': '已经解开了。', 'Best: {action} ({cost} to go)': '最佳：{action}（还需 {cost}）',
  'Try: {action} ({cost} to go this way)': '试试：{action}（这样还需 {cost}）',
  'Each button makes a move.': '每个按钮走一步。',

  // Editing.
  'Tool': '工具', 'Rows': '行', 'Columns': '列', 'Colour': '颜色', 'To change the board, change its text.': '要改棋盘，请改文本。',
  'Click or drag on the board. With the keyboard: arrow keys move, Enter uses the tool, and the letters use theirs.':
    '在棋盘上点击或拖动。用键盘：方向键移动，回车使用工具，字母键使用各自的工具。',
  'Choose the other one.': '请选另一个。', 'It cannot go there.': '不能走到那里。', 'Let go.': '放下了。',

  // Answers.
  'There is no solution: proved.': '已证明无解。', ' Every solution takes at least {bound} steps.': '任何解至少需要 {bound} 步。',
  'Stopped {why}.': '搜索停止：{why}。', 'at the time limit': '到达时间上限', 'at the memory limit': '到达内存上限',
  'at the limit on states': '到达状态数上限', 'for want of an admissible heuristic': '没有可采纳的启发函数',
  '{count} step': '{count} 步', '{count} steps': '{count} 步', 'Shortest solution: {steps}, proved optimal.': '最短解：{steps}，已证明最优。',
  'Solution of {steps}, at most {factor} times the shortest.': '找到 {steps} 的解，至多为最短解的 {factor} 倍。',
  'Solution of {steps}. Nothing is proved about its length.': '找到 {steps} 的解，长度未证明最短。',
  '{algorithm} with {heuristic}, chosen because {chosen}.': '{algorithm}，启发函数 {heuristic}；选择理由：{chosen}。',
  '{algorithm} with {heuristic}.': '{algorithm}，启发函数 {heuristic}。', 'why?': '为什么？', 'Download solution': '下载解',
  'Download trace': '下载搜索记录', 'Building tables: {share} %': '正在建表：{share} %',
  '{done} of {of} states looked at': '已检查 {done} / {of} 个状态',
  'bound {bound}, {expanded} states expanded, {time}': '下界 {bound}，已扩展 {expanded} 个状态，{time}',
  'The server does not answer. Is it still running?': '服务器没有回应。它还在运行吗？',
  'There is no answer.': '没有回应。', 'The engine could not be loaded.': '引擎无法加载。',
  'The browser has no more memory for this.': '浏览器的内存不够用。', 'The engine has failed.': '引擎出错了。',
  ' The program has more time and memory, and all cores: admissible serve.':
    '程序 admissible serve 有更多时间和内存，并使用所有核心。',
  '{name}: expected a board of at most {most} bytes, found {found}': '{name}：棋盘最多 {most} 字节，实际 {found} 字节',
  '... and {more} more': '……还有 {more} 处', '(read as a {puzzle} puzzle)': '（按 {puzzle} 谜题读取）', 'Read as {name}': '按{name}读取',

  // Counts.
  'expanded': '扩展', 'generated': '生成', 'visited': '访问', 'reopened': '重新打开', 'before the last layer': '末层之前',
  'largest frontier': '最大边界', 'frontier': '边界', 'time': '时间', 'memory': '内存', 'cost': '代价', 'verdict': '结论', 'run': '运行',
  'open': '待扩展', 'f bound': 'f 下界', 'fewest moves of any solution': '所有解中最少步数',

  // Explaining.
  'Explanation': '解释', 'Explain this board': '解释此棋盘', 'at every move': '每步都解释',
  'Searching for the distance…': '正在求真实距离…', 'The distance h* is {steps}.': '真实距离 h* 为 {steps}。',
  'The distance h* is unknown: {range}.': '真实距离 h* 未知：{range}。', 'No solution: the distance h* is infinite.': '无解：h* 为无穷大。',
  'at least {least}': '至少 {least}', 'at least {least}, at most {most}': '至少 {least}，至多 {most}',
  ', relative error {share}': '，相对误差 {share}', 'h ≤ h* holds': 'h ≤ h* 成立', 'h ≤ h* FAILS': 'h ≤ h* 不成立',
  'h ≤ h* undecided': 'h ≤ h* 未定', 'consistent here': '此处一致', 'overestimates': '高估', 'not consistent': '不一致',
  'NOT consistent: after {action} h is {h}': '不一致：走 {action} 之后 h 为 {h}',
  '{heuristic} has no value: {why}.': '{heuristic} 没有值：{why}。', 'admissible': '可采纳', 'consistent': '一致', 'yes': '是', 'NO': '否',
  'sometimes': '有时', 'Its source claims: {claim}.': '出处声称：{claim}。',

  // Watching.
  'First search': '第一个搜索', 'Second search': '第二个搜索', 'two side by side': '并排两个', 'f, g, h on the cells': '格上显示 f、g、h',
  'Control': '控制', 'Stop': '停在', 'nowhere': '不停', 'where f rises': 'f 上升处', 'where a state is visited again': '再次访问状态处',
  'where h falls too far': 'h 下降过多处', 'at each state of the solution': '解上的每个状态', 'Speed': '速度',
  'within a minute': '一分钟之内', '2 a second': '每秒 2 个', '10 a second': '每秒 10 个', '50 a second': '每秒 50 个',
  '500 a second': '每秒 500 个', '10,000 a second': '每秒 10,000 个', 'as fast as it goes': '越快越好', 'slow': '慢', 'normal': '正常',
  'fast': '快', 'very fast': '很快', 'Pause': '暂停', 'To the beginning': '回到开头', 'A step back': '后退一步', 'A step on': '前进一步',
  'To the end': '到结尾', '{now} of {length} states': '{now} / {length} 个状态', 'By f': '按 f', 'Tree': '搜索树', 'Open list': '待扩展表',
  'States visited by f = g + h': '按 f = g + h 访问的状态', 'Search tree': '搜索树', 'the state that is visited': '正在访问的状态',
  'what to see': '看什么', 'visited, the stronger the more often ': '已访问，颜色越深次数越多 ', 'on the frontier only': '仅在边界上',
  'Press Search to see it.': '按“搜索”后显示。', 'It is shown when the search has ended.': '搜索结束后显示。',
  'This is kept for the first {most} states.': '只保留前 {most} 个状态。', 'No solution.': '无解。', 'state': '状态', 'by': '走法',
  '{open} states are open. The next ones that this search expands:': '共有 {open} 个待扩展状态，接下来将扩展：',
  'Visit {number}, by {action}: g = {g}, h = {h}, f = {f}': '第 {number} 次访问，走法 {action}：g = {g}，h = {h}，f = {f}',
  ', visited {times} times': '，访问了 {times} 次', 'State {at}': '状态 {at}', 'The searches have ended.': '搜索已结束。', 'Start': '开始',

  // Comparing and auditing.
  'Heuristics': '启发函数', 'Algorithms': '算法', 'And an expression of your own': '以及你自己的表达式', 'Figures': '数据',
  'What to compare': '比较什么', 'What to audit': '审查什么', 'What to look at': '审查范围', 'this board': '此棋盘',
  'the puzzle as a whole': '整个谜题', 'Choose at least one of each.': '请各选至少一个。', 'Choose at least one heuristic.': '请至少选一个启发函数。',
  'Looking…': '正在检查…', 'Download figures': '下载数据', 'Download chart': '下载图表', 'Compared.': '比较完毕。',
  'The time was up: what had not run by then is missing.': '时间到：尚未运行的部分缺失。', 'Counterexample': '反例',
  'admissible and consistent': '可采纳且一致', 'admissible, NOT consistent': '可采纳，不一致',
  'NOT admissible, NOT consistent': '不可采纳，不一致', 'Looked at: {what} ({time}).': '检查范围：{what}（{time}）。',
  ' A sample can refute a claim and never prove one.': '抽样可以反驳，不能证明。',
  '{over} of {states} states overestimate, by up to {most}': '{states} 个状态中有 {over} 个高估，最多高估 {most}',
  'None of {states} states overestimates': '{states} 个状态都没有高估',
  '; {wrong} of {edges} moves are inconsistent.': '；{edges} 步中有 {wrong} 步不一致。',
  '; none of {edges} moves is inconsistent.': '；{edges} 步都一致。',
  ' The mean of h is {h}, that of the distance {distance}: a share of {share}.':
    'h 的平均值为 {h}，真实距离的平均值为 {distance}：占 {share}。',
  'a dead end': '死路', 'h = {h}, and the goal is {steps} away: {way}': 'h = {h}，而距目标只有 {steps}：{way}',
  'h falls from {before} to {after} on {action}, which costs {cost}': '走 {action}（代价 {cost}）时 h 从 {before} 降到 {after}',
  'Smallest counterexample to admissibility': '可采纳性的最小反例', 'Smallest counterexample to consistency': '一致性的最小反例',
  'Play this board': '玩这个棋盘', 'How far h is from the distance': 'h 与真实距离的差', 'counterexample': '反例',
  'All runs that found the shortest solution of {cost} expanded {few} states.': '所有找到最短解（{cost}）的运行都扩展了 {few} 个状态。',
  '{best} found the shortest solution of {cost} with {few} expanded states, {worst} with {many}: {times} times as many.':
    '{best} 扩展 {few} 个状态就找到了最短解（{cost}），{worst} 用了 {many} 个：是它的 {times} 倍。',
  '{name} answered {cost} where {optimum} is shortest: speed without a proof.': '{name} 给出 {cost}，而最短是 {optimum}：快，但没有证明。',
  '{name} reopened {count} states: its heuristic is not consistent.': '{name} 重新打开了 {count} 个状态：它的启发函数不一致。',

  // Lessons.
  '{steps} steps, about {minutes} minutes': '{steps} 步，约 {minutes} 分钟', 'Begin': '开始', 'Next': '下一步', 'Back': '上一步',
  'End': '结束', 'Show me': '演示给我看', 'Done.': '完成。', 'Leave the lesson': '退出课程',
  'Copy a link that replays this': '复制可重现的链接', 'The link': '链接',

  // The glossary.
  'The states whose successors were produced. The time of a search grows with them.': '已生成后继的状态数。搜索时间随它增长。',
  'The successors produced, also those that were known already.': '生成的后继数，包括已知的状态。',
  'The states taken off the open list: the expanded ones and the goal.': '从待扩展表取出的状态：已扩展的和目标。',
  'The closed states that were reached more cheaply and expanded again. With a consistent heuristic there are none.':
    '以更小代价再次到达并重新扩展的已关闭状态。启发函数一致时不会出现。',
  'The expanded states whose f is below the length of the solution. Every correct A* with the same consistent heuristic expands exactly these, however it breaks ties.':
    'f 小于解长的已扩展状态。用同一个一致的启发函数，任何正确的 A* 都恰好扩展它们，与平局规则无关。',
  'The most states on the open list at once: reached, and not expanded yet.': '待扩展表上同时最多的状态数：已到达而未扩展。',
  'The states on the open list: reached, and not expanded yet.': '待扩展表上的状态：已到达而未扩展。',
  'The least f of all open states. With an admissible heuristic no solution is shorter.': '所有待扩展状态中最小的 f。启发函数可采纳时，没有更短的解。',
  'No solution is shorter, and the search proves it: every open state has an f at least as large.':
    '没有更短的解，搜索证明了这一点：每个待扩展状态的 f 都不小于它。',
  'The heuristic may overestimate, so a shorter solution may have been passed over.': '启发函数可能高估，因此可能错过更短的解。',
  'The time of the search, without the reading of the board.': '搜索时间，不含读入棋盘。',
  'The most memory that the search held for its states.': '搜索为状态占用的最大内存。', 'The length of the solution found.': '所找到的解的长度。',
  'The solution counted in another way: a run of one piece is one move.': '另一种计数：同一块连续移动算一步。',
  'The least that a solution takes where a run of one piece is one move.': '同一块连续移动算一步时，解所需的最少步数。',
  'Of the state that is visited: g is the length of the way so far, h what the heuristic estimates for the rest.':
    '正在访问的状态：g 是已走的长度，h 是对剩余长度的估计。',
  'Every state that can be reached was visited, or a law of the puzzle forbids a solution.': '访问了所有可到达的状态，或谜题的规律排除了解。',
  'Weighted A* trades length for speed and knows by how much at the most.': '加权 A* 以长度换速度，并知道至多差多少。',
  'The search ended at a limit. What it has proved until then stays true.': '搜索到达上限而停止。此前已证明的仍然成立。',
  'Whether the solution is proved to be shortest, and how it compares with the others.': '解是否已证明最短，以及与其他解的比较。',
  'Every state was looked at, so the verdict is a proof.': '检查了每个状态，因此结论就是证明。',
  'Some states were looked at. They can refute a claim, and never prove one.': '只检查了部分状态：可以反驳，不能证明。',
};
