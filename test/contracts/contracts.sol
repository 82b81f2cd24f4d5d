// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A dollar coin as Tether's on Ethereum is: `transfer` answers nothing.
contract Dollars {
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 places) {
        decimals = places;
        balanceOf[msg.sender] = type(uint128).max;
        emit Transfer(address(0), msg.sender, type(uint128).max);
    }

    function transfer(address to, uint256 value) public {
        require(balanceOf[msg.sender] >= value, "too little");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }

    /// Several transfers in one transaction.
    function transferEach(address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < to.length; i++) transfer(to[i], value);
    }
}

/// Pays in its own name, as exchanges and wallets with many signers do: no transaction is to the address that is paid.
contract Payer {
    function pay(address payable[] calldata to, uint256 each) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            (bool isDone, ) = to[i].call{value: each}("");
            require(isDone, "refused");
        }
    }

    /// Moves coins, and then fails as a whole.
    function payAndFail(address payable to) external payable {
        to.call{value: msg.value}("");
        revert("no");
    }

    /// Moves a token of its own, and then fails as a whole.
    function transferAndFail(Dollars token, address to, uint256 value) external {
        token.transfer(to, value);
        revert("no");
    }
}
